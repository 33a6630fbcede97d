/** What no document of a bank allows for any field, and what one does for another field. */
const ODD_VALUES: readonly unknown[] = [
  null,
  undefined,
  "",
  "unexpected",
  "\0",
  "9999-99-99T00:00:00Z",
  "x".repeat(5_000),
  0,
  -1,
  1.5,
  2 ** 60,
  Number.MAX_SAFE_INTEGER,
  true,
  [],
  [null],
  {},
];

interface Change {
  /** `acceptance.accepted_at null`. */
  what: string;
  /** The fields of the object that differ. */
  fields: Record<string, unknown>;
}

/** Each field of an object, and each field of the objects in it, with each odd value. */
export function changesOf(object: Record<string, unknown>, path = ""): Change[] {
  return Object.entries(object).flatMap(([name, value]) => [
    ...oddOf(`${path}${name}`, value).map(({ what, odd }) => ({ what, fields: { [name]: odd } })),
    ...(isObject(value) ? changesOf(value, `${path}${name}.`) : []).map(({ what, fields }) => ({
      what,
      fields: { [name]: { ...(isObject(value) ? value : {}), ...fields } },
    })),
  ]);
}

function oddOf(name: string, value: unknown): { what: string; odd: unknown }[] {
  return ODD_VALUES.filter((odd) => odd !== value).map((odd) => ({
    what: `${name} ${(JSON.stringify(odd) ?? "left out").slice(0, 30)}`,
    odd,
  }));
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
