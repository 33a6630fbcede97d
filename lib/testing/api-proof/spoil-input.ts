import {
  branchesOf,
  branchFor,
  type JsonType,
  type SchemaNode,
  typesOf,
} from "@/lib/testing/api-proof/json-schema-node";

/** A valid input with one thing wrong. */
export interface SpoiledInput {
  what: string;
  /** The path of the field, `steps.0.actions.1.group`. */
  field: string;
  input: Record<string, unknown>;
}

interface Spot {
  node: SchemaNode;
  value: unknown;
  path: readonly string[];
  /** Null then counts as absent. */
  isOptional: boolean;
}

const OF_EACH_TYPE: Record<JsonType, unknown> = {
  null: null,
  boolean: true,
  number: 7,
  string: "text",
  array: [],
  object: {},
};

/**
 * Every way to spoil a valid JSON body according to its schema: each field missing, of each wrong type, too short, too
 * long, too small, too large, and an extra field in each object.
 * @param inputs together contain every field to try
 */
export function spoilBody(schema: SchemaNode, inputs: readonly Record<string, unknown>[]): SpoiledInput[] {
  const tried = new Set<string>();
  return inputs.flatMap((valid) =>
    spotsOf({ node: schema, value: valid, path: [], isOptional: false })
      .filter((spot) => {
        const kind = kindOf(spot);
        const isNew = !tried.has(kind);
        tried.add(kind);
        return isNew;
      })
      .flatMap((spot) => [
        ...(spot.path.length > 0 ? spoilValue(valid, spot) : []),
        ...spoilFields(valid, spot),
      ]),
  );
}

/** A step's second action adds nothing about a field that the first one had. */
function kindOf({ node, value, path }: Spot): string {
  const places = path.filter((name) => !/^\d+$/.test(name));
  return JSON.stringify([places, branchFor(node, value)]);
}

/** The value and everything in it. */
function spotsOf(spot: Spot): Spot[] {
  const branch = branchFor(spot.node, spot.value);
  if (!branch) throw new Error(`A valid value fits no schema at ${spot.path.join(".")}`);
  if (Array.isArray(spot.value)) {
    const item = branch.items;
    const inside = spot.value.map((value, index) => ({
      value,
      path: [...spot.path, String(index)],
      isOptional: false,
    }));
    return [spot, ...(item ? inside.flatMap((one) => spotsOf({ node: item, ...one })) : [])];
  }
  if (typeof spot.value !== "object" || spot.value === null) return [spot];
  const fields = Object.entries(spot.value).flatMap(([name, value]) => {
    const node = branch.properties?.[name];
    const isOptional = !branch.required?.includes(name);
    return node ? spotsOf({ node, value, path: [...spot.path, name], isOptional }) : [];
  });
  return [spot, ...fields];
}

function spoilValue(valid: Record<string, unknown>, { node, value, path, isOptional }: Spot): SpoiledInput[] {
  const types = typesOf(node);
  const wrongTypes = Object.entries(OF_EACH_TYPE)
    .filter(([type]) => ![...types].some((allowed) => allowed === type))
    .filter(([type]) => type !== "null" || !isOptional)
    .map(([type, wrong]): [string, unknown] => [`a JSON ${type}`, wrong]);
  const branch = branchFor(node, value);
  const ofType = branch ? wrongValues(branch, value, branchesOf(node).length > 1) : [];
  const field = path.join(".");
  return [...wrongTypes, ...ofType].map(([what, wrong]) => ({
    what,
    field,
    input: asInput(replaceAt(valid, path, wrong)),
  }));
}

/** Nearly all choices are in capitals. */
function inOtherCase(value: string): [string, string] {
  const lower = value.toLowerCase();
  return lower === value ? ["upper case", value.toUpperCase()] : ["lower case", lower];
}

/** Of the right type, but invalid for this field. */
function wrongValues(node: SchemaNode, value: unknown, hasAlternatives: boolean): [string, unknown][] {
  const isChoice = node.enum !== undefined || node.const !== undefined;
  if (isChoice) return typeof value === "string" ? [...wrongTexts(node), inOtherCase(value)] : [];
  switch (node.type) {
    case "string":
      return wrongTexts(node);
    case "integer":
    case "number":
      return wrongNumbers(node);
    case "array":
      return wrongLists(node, value);
    default:
      // An empty object is tried as a wrong type elsewhere; here only if nothing in it is required.
      return node.required?.length && !hasAlternatives ? [["an empty object", {}]] : [];
  }
}

function wrongTexts(node: SchemaNode): [string, unknown][] {
  const wrong: [string, unknown][] = ALWAYS_REFUSED_TEXTS.map(([what, text]) => [what, text]);
  const isFree = !node.pattern && !node.format && !node.enum && node.const === undefined;
  const fits = new RegExp(node.pattern ?? "$.");
  const injections = INJECTIONS.filter(([, text]) => !fits.test(text));
  if (!isFree) wrong.push(...injections, ["an empty text", ""], ["a very long text", "𝒳".repeat(4_000)]);
  if (node.minLength) wrong.push(["an empty text", ""]);
  if (isFree)
    wrong.push([`more than ${node.maxLength} characters`, "x".repeat((node.maxLength ?? 30_000) + 1)]);
  return wrong;
}

function wrongNumbers({ minimum, maximum, exclusiveMinimum, type }: SchemaNode): [string, unknown][] {
  const wrong: [string, unknown][] = [
    ["a number as text", "100"],
    ["NaN as text", "NaN"],
    ["a huge number", 1e300],
    ["a huge negative number", -1e300],
  ];
  if (type === "integer") wrong.push(["a fraction", 100.5], ["2^53", 2 ** 53]);
  if (minimum !== undefined) wrong.push([`less than ${minimum}`, minimum - 1]);
  if (exclusiveMinimum !== undefined) wrong.push([`not more than ${exclusiveMinimum}`, exclusiveMinimum]);
  if (maximum !== undefined) wrong.push([`more than ${maximum}`, maximum + 1]);
  return wrong;
}

function wrongLists({ minItems = 0, maxItems }: SchemaNode, value: unknown): [string, unknown][] {
  const first: unknown = Array.isArray(value) ? value[0] : null;
  const wrong: [string, unknown][] = [["a list with null in it", [null]]];
  if (minItems > 0) wrong.push(["an empty list", []]);
  wrong.push([`more than ${maxItems} items`, Array.from({ length: (maxItems ?? 5_000) + 1 }, () => first)]);
  return wrong;
}

/** Fields removed and added. */
function spoilFields(valid: Record<string, unknown>, { node, value, path }: Spot): SpoiledInput[] {
  const branch = branchFor(node, value);
  if (!branch?.properties || typeof value !== "object" || value === null) return [];
  const missing = (branch.required ?? []).map((name) => {
    const { [name]: _, ...rest }: Record<string, unknown> = Object.fromEntries(Object.entries(value));
    return {
      what: "missing",
      field: [...path, name].join("."),
      input: asInput(replaceAt(valid, path, rest)),
    };
  });
  const more = ["unexpected", "__proto__", "constructor", "toString", "organizationId"].map((name) => ({
    what: `one field more, ${name}`,
    field: [...path, name].join("."),
    input: asInput(replaceAt(valid, path, Object.fromEntries([...Object.entries(value), [name, { a: 1 }]]))),
  }));
  return [...missing, ...more];
}

function replaceAt(container: unknown, path: readonly string[], value: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  if (Array.isArray(container)) {
    return container.map((item, index) => (String(index) === name ? replaceAt(item, rest, value) : item));
  }
  const fields = Object.entries(Object(container));
  return Object.fromEntries(
    fields.map(([field, inside]) => [field, field === name ? replaceAt(inside, rest, value) : inside]),
  );
}

function asInput(value: unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(Object(value)));
}

/** Texts that every field refuses: they deceive a reader, or cannot be stored. */
export const ALWAYS_REFUSED_TEXTS: readonly (readonly [string, string])[] = [
  ["a NUL", "a\u0000b"],
  ["a line break", "a\nb"],
  ["a bidirectional override", "pay \u202e$10"],
  ["a bidirectional isolate", "pay \u2066$10"],
  ["half a surrogate pair", "a\ud800b"],
  ["a byte order mark inside", "a\ufeffb"],
];

/** Injections into concatenated text; harmless in free text, invalid anywhere else. */
export const INJECTIONS: [string, string][] = [
  ["SQL", "'; drop table transfers; --"],
  ["SQL that is always true", "' or '1'='1"],
  ["HTML", "<script>alert(1)</script>"],
  ["a template", "{{7*7}}"],
  ["a prototype's name", "__proto__"],
  ["a path upwards", "../../etc/passwd"],
];

/** Invalid values for a UUID field. */
export const NO_UUIDS: readonly string[] = [
  "not-a-uuid",
  "0",
  "null",
  "undefined",
  "019a9c52-7a10-7c3e-8d21-5b7f0c4e9a1",
  "019a9c52-7a10-7c3e-8d21-5b7f0c4e9a111",
  "019a9c52-7a10-7c3e-8d21-5b7f0c4e9a1g",
  "{019a9c52-7a10-7c3e-8d21-5b7f0c4e9a11}",
  "019a9c527a107c3e8d215b7f0c4e9a11",
];

const NO_INTEGERS = [
  "",
  "-1",
  "+1",
  "1.5",
  "1e3",
  "0x10",
  " 1",
  "NaN",
  "Infinity",
  "99999999999999999999",
  "one",
];
const NO_INSTANTS = [
  "",
  "yesterday",
  "0",
  "2026-01-01",
  "2026-01-01T00:00:00",
  "2026-02-30T00:00:00Z",
  "2026-01-01T25:00:00Z",
  "9999-12-31T23:59:59-23:00",
  "0000-01-01T00:00:00Z",
  "1969-12-31T23:59:59Z",
];
/** Bounds that a pattern of digits does not express. */
const OUT_OF_RANGE: Record<string, readonly string[]> = {
  page: ["0", "1000001"],
  pageSize: ["0", "101"],
};

/** Every way to spoil a query according to its schema, as an input whose values are texts or lists of texts. */
export function spoilQuery(
  schema: SchemaNode,
  valid: Record<string, unknown>,
  names: readonly string[],
): SpoiledInput[] {
  const wrong = names.flatMap((name) => {
    const node = schema.properties?.[name];
    if (!node) throw new Error(`There is no field ${name}`);
    const isRequired = schema.required?.includes(name) ?? false;
    return [
      ...(isRequired ? [{ what: "missing", value: undefined }] : []),
      ...(node.type === "array" ? wrongQueryLists(node) : wrongQueryTexts(name, node)),
    ].map(({ what, value }) => ({ what, field: name, input: { ...valid, [name]: value } }));
  });
  const more = ["unexpected", "__proto__", "constructor", "toString", "organizationId"].map((name) => ({
    what: `one field more, ${name}`,
    field: name,
    input: Object.fromEntries([...Object.entries(valid), [name, "1"]]),
  }));
  return [...wrong, ...more];
}

interface WrongValue {
  what: string;
  value: unknown;
}

function wrongQueryLists(node: SchemaNode): WrongValue[] {
  const inside = node.items ? wrongQueryTexts("", node.items, false) : [];
  // Duplicates count once, so only a list of ids can have too many.
  const { maxItems } = node;
  const ids = Array.from({ length: (maxItems ?? 0) + 1 }, () => crypto.randomUUID());
  const anItem = node.items?.enum?.[0] ?? "019a9c52-7a10-7c3e-8d21-5b7f0c4e9a11";
  return [
    ...inside.map(({ what, value }) => ({ what: `a list with ${what}`, value: [value] })),
    ...(maxItems === undefined ? [] : [{ what: `more than ${maxItems} items`, value: ids }]),
    { what: "an item with a trailing comma", value: `${anItem},` },
  ];
}

function wrongQueryTexts(name: string, node: SchemaNode, refusesTwice = true): WrongValue[] {
  const texts = [...ALWAYS_REFUSED_TEXTS.filter(([what]) => !what.includes("surrogate"))];
  const fits = new RegExp(node.pattern ?? "$.");
  const injections = INJECTIONS.filter(([, text]) => !fits.test(text));
  if (node.format || node.enum || node.pattern) texts.push(...injections, ["an empty text", ""]);
  else texts.push(["an unbounded text", "x".repeat((node.maxLength ?? 8_000) + 1)]);
  const typed = typedTexts(name, node).map((text) => [JSON.stringify(text), text] as const);
  const twice = refusesTwice ? [{ what: "itself twice", value: ["1", "1"] }] : [];
  return [...[...texts, ...typed].map(([what, value]) => ({ what, value })), ...twice];
}

function swapCase(text: string): string {
  const lower = text.toLowerCase();
  return lower === text ? text.toUpperCase() : lower;
}

function typedTexts(name: string, node: SchemaNode): readonly string[] {
  if (node.format === "uuid") return NO_UUIDS;
  if (node.format === "date-time") return NO_INSTANTS;
  if (node.enum) return ["NO_SUCH_VALUE", swapCase(String(node.enum[0])), ` ${node.enum[0]}`];
  if (node.pattern?.startsWith("^\\d")) return [...NO_INTEGERS, ...(OUT_OF_RANGE[name] ?? [])];
  return [];
}
