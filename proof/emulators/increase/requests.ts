export class Refused extends Error {
  constructor(
    readonly status: 400 | 401 | 404 | 409,
    readonly type: string,
    readonly detail: string,
    readonly more: Record<string, unknown> = {},
  ) {
    super(detail);
  }
}

export const invalid = (detail: string) =>
  new Refused(400, "invalid_parameters_error", detail, { errors: [] });

export function found<T>(kept: ReadonlyMap<string, T>, id: string): T {
  const object = kept.get(id);
  if (!object) throw new Refused(404, "object_not_found_error", "There is no such object.");
  return object;
}

/** Arguments of a request, checked as they are read. */
export class Body {
  readonly #fields: Record<string, unknown>;
  constructor(json: unknown) {
    if (typeof json !== "object" || json === null) throw invalid("The body must be an object.");
    this.#fields = { ...json };
  }

  text(name: string, length: number): string {
    const value = this.optional(name, length);
    if (value === null) throw invalid(`${name} is required.`);
    return value;
  }

  optional(name: string, length = 200): string | null {
    const value = this.#fields[name];
    if (value === undefined || value === null) return null;
    if (typeof value !== "string" || value.length < 1 || value.length > length || !/^[ -~]*$/.test(value)) {
      throw invalid(`${name} must have 1 to ${length} printable characters.`);
    }
    return value;
  }

  integer(name: string): number {
    const value = this.#fields[name];
    if (typeof value !== "number" || !Number.isInteger(value)) throw invalid(`${name} must be an integer.`);
    return value;
  }

  one<T extends string>(name: string, values: readonly T[], otherwise: T): T {
    const value = this.#fields[name];
    if (value === undefined) return otherwise;
    const known = values.find((candidate) => candidate === value);
    if (known === undefined) throw invalid(`${name} must be one of ${values.join(", ")}.`);
    return known;
  }
}
