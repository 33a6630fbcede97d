import fc from "fast-check";

/** A value with a part of it replaced, removed or added. */
export function mutated(value: unknown, kind: Mutation): unknown {
  const spots = spotsOf(value, [], []);
  const at = spots[kind.at % spots.length] ?? [];
  return changeAt(value, at, kind);
}

export type Mutation = { kind: "REPLACE" | "DROP" | "ADD"; at: number; name: string; value: unknown };

const NAMES = ["__proto__", "constructor", "organizationId", "unexpected", "0", ""];

/** Mutations that put one of these values somewhere into another. */
export function mutations(values: fc.Arbitrary<unknown>): fc.Arbitrary<Mutation> {
  return fc.record({
    kind: fc.constantFrom("REPLACE", "REPLACE", "REPLACE", "DROP", "ADD"),
    at: fc.nat(60),
    name: fc.oneof(fc.constantFrom(...NAMES), fc.string({ maxLength: 20 })),
    value: values,
  });
}

const MOST_SPOTS = 200;
type Path = readonly string[];

function spotsOf(value: unknown, path: Path, found: Path[]): Path[] {
  if (found.length >= MOST_SPOTS) return found;
  found.push(path);
  if (typeof value !== "object" || value === null) return found;
  for (const [name, inside] of Object.entries(value)) spotsOf(inside, [...path, name], found);
  return found;
}

function changeAt(value: unknown, [name, ...rest]: Path, change: Mutation): unknown {
  if (name === undefined) return changed(value, change);
  if (Array.isArray(value)) {
    const isDropped = rest.length === 0 && change.kind === "DROP";
    const kept = isDropped ? value.filter((_, index) => String(index) !== name) : value;
    return kept.map((one, index) =>
      !isDropped && String(index) === name ? changeAt(one, rest, change) : one,
    );
  }
  const fields = Object.entries(Object(value));
  if (rest.length === 0 && change.kind === "DROP")
    return fromFields(fields.filter(([field]) => field !== name));
  return fromFields(
    fields.map(([field, one]) => [field, field === name ? changeAt(one, rest, change) : one]),
  );
}

function changed(value: unknown, change: Mutation): unknown {
  if (change.kind !== "ADD") return change.value;
  if (Array.isArray(value)) return [...value, change.value];
  if (typeof value === "object" && value !== null)
    return fromFields([...Object.entries(value), [change.name, change.value]]);
  return [value, change.value];
}

/** Not by assignment, which would set the prototype instead of a field of that name. */
function fromFields(fields: [string, unknown][]): Record<string, unknown> {
  return Object.fromEntries(fields);
}
