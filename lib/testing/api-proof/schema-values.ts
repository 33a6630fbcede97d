import fc from "fast-check";
import { componentName, type JsonSchema } from "@/lib/api/openapi/json-schema";
import { conforms } from "@/lib/testing/api-proof/conforms";

type Components = Readonly<Record<string, JsonSchema>>;

/** More items than this find nothing new; bounds of lists are tried by near misses. */
const MORE_ITEMS = 2;
/** Longer patterns are those of texts, dates and emails, which have generators of their own. */
const SHORT_PATTERN = 100;

/** Values that a schema of the OpenAPI document allows, nearly always: check with `conforms`. */
export function valuesOf(schema: JsonSchema, components: Components, field = ""): fc.Arbitrary<unknown> {
  const values = (one: JsonSchema, name = field) => valuesOf(one, components, name);
  const component = componentName(schema);
  if (component) return values(components[component] ?? {});
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.properties) return objectsOf(schema, components);
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives) return fc.oneof(...alternatives.map((one) => values(one)));
  switch (schema.type) {
    case "integer":
      return integersOf(schema);
    case "number":
      return fc.integer({ min: 1, max: 1_000_000 }).map((steps) => steps / 10_000);
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "array": {
      const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema;
      const maxLength = Math.min(minItems + MORE_ITEMS, maxItems);
      return fc.array(values(schema.items ?? {}), { minLength: minItems, maxLength });
    }
    case "string":
      return textsOf(schema, field).filter((text) => conforms(schema, text, components));
    default:
      throw new Error(`There are no values for ${JSON.stringify(schema)}`);
  }
}

/** An object with shapes beside its fields keeps to one of them. */
function objectsOf(schema: JsonSchema, components: Components): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], anyOf = [{}] } = schema;
  const shapes = anyOf.map((shape) => {
    const fields = Object.entries(properties).map(([name, property]) => {
      const bound = shape.properties?.[name] ?? {};
      const values = valuesOf(property, components, name);
      return [name, values.filter((value) => conforms(bound, value, components))] as const;
    });
    const requiredKeys = [...new Set([...required, ...(shape.required ?? [])])];
    return fc.record<Record<string, unknown>, string>(Object.fromEntries(fields), { requiredKeys });
  });
  return fc.oneof(...shapes);
}

function integersOf({ minimum, maximum }: JsonSchema): fc.Arbitrary<number> {
  const min = minimum ?? Number.MIN_SAFE_INTEGER;
  const max = maximum ?? Number.MAX_SAFE_INTEGER;
  return fc.oneof(
    fc.constantFrom(min, max),
    fc.integer({ min, max }).filter((value) => value !== 0 || min >= 0),
  );
}

const TIME_ZONES = ["America/New_York", "UTC", "Asia/Kathmandu", "america/los_angeles"];
const CRONS = ["0 9 * * *", "*/15 8-17 * * 1-5", "30 0 29 2 *", "5,35 1-3/2 1,15 */3 7"];
const NAMES = [
  "Taxes",
  " Rent ",
  "税金　口座",
  "می‌خواهم",
  "👩🏽‍🚀 trip",
  "1️⃣",
  "é",
  "#",
  "x".repeat(60),
  "👨‍👩‍👧",
];

function textsOf(schema: JsonSchema, field: string): fc.Arbitrary<string> {
  if (field === "timeZone") return fc.constantFrom(...TIME_ZONES);
  if (field === "cron") return fc.constantFrom(...CRONS);
  switch (schema.format) {
    case "uuid":
      return fc.oneof(
        uuids,
        uuids.map((id) => id.toUpperCase()),
        fc.constantFrom(...ODD_UUIDS),
      );
    case "date-time":
      return instants;
    case "date":
      return days.map((day) => day.toISOString().slice(0, 10));
    case "email":
      return fc.constantFrom("a@b.co", " A.b-c+d'e_f@x-y.example.org\t", "1@2.dev", `${"a".repeat(64)}@b.co`);
    default:
  }
  const { pattern, allOf } = schema;
  if (allOf) return fc.oneof(fc.constantFrom(...NAMES), fc.string({ unit: "grapheme", maxLength: 70 }));
  if (pattern === undefined || pattern.length > SHORT_PATTERN) {
    return fc.string({ unit: "grapheme", maxLength: schema.maxLength ?? 20 });
  }
  return fc.stringMatching(new RegExp(pattern, "u"));
}

const uuids = fc.uuid({ version: [4, 7] });
/** Of no version, of one that does not exist, and the two that are alike throughout. */
const ODD_UUIDS = [
  "019aa2d4-1c23-0f27-95db-e4b06a8c2f1b",
  "019aa2d4-1c23-9f27-05db-e4b06a8c2f1b",
  "00000000-0000-0000-0000-000000000000",
  "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF",
];
const days = fc.date({
  min: new Date("1970-01-02T00:00:00Z"),
  max: new Date("9999-12-30T00:00:00Z"),
  noInvalidDate: true,
});
const instants = fc
  .tuple(days, fc.constantFrom("Z", "+00:00", "-05:00", "+14:00", "-23:59"), fc.constantFrom(16, 19, 21, 23))
  .map(([day, zone, length]) => `${day.toISOString().slice(0, length)}${zone}`);

/**
 * What is nearly right: one place of a valid value is changed, left out or added to. Each field is as likely as any other,
 * however often it occurs.
 */
export function nearMisses(schema: JsonSchema, components: Components): fc.Arbitrary<unknown> {
  return fc
    .tuple(valuesOf(schema, components), change)
    .map(([value, { kind, field, place, pick, hostile, text }]) => {
      const places = placesIn(value);
      const fields = [...new Set(places.map(fieldOf))];
      const name = fields[field % fields.length];
      const ofField = places.filter((path) => fieldOf(path) === name);
      const path = ofField[place % ofField.length] ?? [];
      const before = path.reduce<unknown>((inner, key) => Object(inner)[key], value);
      const known = LIKELY[name ?? ""] ?? [hostile];
      switch (kind) {
        case "LIKELY":
          return replaced(value, path, known[pick % known.length]);
        case "TEXT":
          return replaced(value, path, typeof before === "string" ? text : hostile);
        case "VALUE":
          return replaced(value, path, hostile);
        case "DROP":
          return path.length > 0 ? replaced(value, path, undefined) : value;
        case "ADD":
          return replaced(value, [...path.slice(0, -1), EXTRA[pick % EXTRA.length] ?? "extra"], hostile);
        default:
          return Array.isArray(before) ? replaced(value, path, [...before, ...before]) : value;
      }
    });
}

const EXTRA = ["extra", "id", "name", "version", "simulation", "cron", "limitId", "savingsTargetInCents"];

const NUMBERS = [0, -1, 1, 0.5, 101, 1e15, 2 ** 53, 2 ** 53 + 2, -(2 ** 53), 1e300];
const PERCENTAGES = [1e-20, 5e-324, 0.0001, 0.00001, 33.3333, 33.33333, 99.99999999999999, 100, 100.0001];
const UNSEEN = [
  "",
  " ",
  "\u3000",
  "\u0301",
  "a\u0000b",
  "a\nb",
  "\u202eb",
  "a\u200db",
  "\ufe0f",
  "x".repeat(61),
];
const CHARACTERS = [...UNSEEN, "😀".repeat(60), "😀".repeat(61), ...NAMES];
const EMAILS = ["a@b", "a..b@c.co", ".a@b.co", "a'@b.co", " a@b.co ", "\u212a@b.co", "a@b.co\n", "a@-b.co"];
const INSTANTS = [
  ...["2026-11-20T00:00:00z", "2026-11-20t00:00:00Z", "2026-11-20T00:00:60Z", "2026-11-20T00:00Z"],
  ...["9999-12-31T23:59:59-23:59", "9999-12-31T23:59:59Z", "0000-01-01T00:00:00Z", "1969-12-31T23:59:59Z"],
  ...["2026-02-29T00:00:00Z", "2028-02-29T00:00:00+24:00", "1970-01-01T00:00:00+00:01", "2026-11-20"],
  ...["1969-12-31T23:59:59-00:01", "1969-12-31T09:59:59-14:00", "1969-12-30T23:59:59-23:59"],
];
const DATES = [
  "0000-01-01",
  "1969-12-31",
  "9999-12-31",
  "2026-02-29",
  "2000-02-29",
  "2100-02-29",
  "20261120",
];
const CRONS_WITH_FAULTS = ["60 * * * *", "* * * *", "0 0 31 2 *", "@daily", "5/2 * * * *", ...CRONS];
const TEXTS = [
  ...CHARACTERS,
  ...EMAILS,
  ...INSTANTS,
  ...DATES,
  ...ODD_UUIDS,
  "__proto__",
  "latest",
  "POD",
  "24:00",
];

const IDS = [...ODD_UUIDS, "", "__proto__", "limit-0", "g19aa2d4-1c23-7f27-95db-e4b06a8c2f1b"];

/** By field: what is most often taken for right. */
const LIKELY: Readonly<Record<string, readonly unknown[]>> = {
  id: IDS,
  accountId: IDS,
  sourceAccountId: IDS,
  destinationAccountId: IDS,
  destinationAccountIds: IDS,
  beneficiaryId: IDS,
  apiKeyId: IDS,
  name: CHARACTERS,
  description: [...CHARACTERS, "ABC 1", "ABC-1", "ABCDEFGHIJK"],
  reason: CHARACTERS,
  reasonForApproval: CHARACTERS,
  email: EMAILS,
  startAt: INSTANTS,
  from: INSTANTS,
  to: INSTANTS,
  value: [...DATES, ...NUMBERS],
  percentage: PERCENTAGES,
  daysOfMonth: [0, -1, 31, 32, -2, [0], [1, 1], [1, 2], [5, 5], [], null, 1.5],
  dayOfWeek: [0, 1, 7, 8, null],
  frequency: [
    "ONE_TIME",
    "DAILY",
    "WEEKLY",
    "EVERY_OTHER_WEEK",
    "TWICE_A_MONTH",
    "MONTHLY",
    "CRON",
    "YEARLY",
  ],
  cron: [...CRONS_WITH_FAULTS, null],
  timeZone: ["EST9", "Mars/Olympus", "+99:00", "", ...TIME_ZONES],
  time: ["09:00", "24:00", "9:00", "09:60", "09:00:00"],
  limitId: ["__proto__", "limit-0", "a b", "x".repeat(41), null],
  errorCode: ["UNAUTHORIZED", "NOTHING", "unauthorized"],
  version: [0, 1, 1.5, 2_147_483_648, "latest", "1"],
  simulation: [true, false, "true", null],
};

const change = fc.record({
  kind: fc.constantFrom("LIKELY", "LIKELY", "LIKELY", "TEXT", "VALUE", "DROP", "ADD", "REPEAT"),
  field: fc.nat(),
  place: fc.nat(),
  pick: fc.nat(),
  hostile: fc.oneof(
    fc.constantFrom(...NUMBERS, ...PERCENTAGES),
    fc.constantFrom<unknown>(null, true, false, [], {}, [null], [[]]),
    fc.constantFrom(...TEXTS),
    fc.integer(),
  ),
  text: fc.oneof(fc.constantFrom(...TEXTS), fc.string({ unit: "grapheme", maxLength: 70 })),
});

type Path = readonly (string | number)[];

/** The last name in a path: items of a list have the name of the list. */
const fieldOf = (path: Path): string => String(path.findLast((key) => typeof key === "string"));

function placesIn(value: unknown, path: Path = []): Path[] {
  const inner = Array.isArray(value)
    ? value.flatMap((one, index) => placesIn(one, [...path, index]))
    : typeof value === "object" && value !== null
      ? Object.entries(value).flatMap(([name, one]) => placesIn(one, [...path, name]))
      : [];
  return path.length === 0 ? inner : [path, ...inner];
}

/** @param by undefined leaves the place out */
function replaced(value: unknown, [name, ...rest]: Path, by: unknown): unknown {
  if (name === undefined) return by;
  if (Array.isArray(value)) {
    const items = value.map((one, index) => (index === name ? replaced(one, rest, by) : one));
    return items.filter((one) => one !== undefined);
  }
  const fields = new Map<string, unknown>(Object.entries(Object(value)));
  const inner = replaced(fields.get(String(name)), rest, by);
  if (inner === undefined) fields.delete(String(name));
  else fields.set(String(name), inner);
  return Object.fromEntries(fields);
}
