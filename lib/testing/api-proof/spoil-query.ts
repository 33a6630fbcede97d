import { ALWAYS_REFUSED_TEXTS, INJECTIONS, NO_UUIDS } from "@/lib/testing/api-proof/hostile-values";
import type { SchemaNode } from "@/lib/testing/api-proof/json-schema-node";
import type { SpoiledInput } from "@/lib/testing/api-proof/spoil-body";

const NO_INTEGERS = ["", "-1", "+1", "1.5", "1e3", "0x10", " 1", "NaN", "Infinity", "9999999999", "one"];
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
/** Bounds that a pattern of digits does not tell. */
const OUT_OF_RANGE: Record<string, readonly string[]> = {
  page: ["0", "1000001"],
  pageSize: ["0", "101"],
};

/** Every way to spoil a query that its schema tells, as an input whose values are texts or lists of texts. */
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
      ...(node.type === "array" ? wrongLists(node) : wrongTexts(name, node)),
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

function wrongLists(node: SchemaNode): WrongValue[] {
  const inside = node.items ? wrongTexts("", node.items, false) : [];
  const { maxItems = 1_000 } = node;
  const anItem = node.items?.enum?.[0] ?? "019a9c52-7a10-7c3e-8d21-5b7f0c4e9a11";
  return [
    ...inside.map(({ what, value }) => ({ what: `a list with ${what}`, value: [value] })),
    { what: `more than ${maxItems} items`, value: Array.from({ length: maxItems + 1 }, () => anItem) },
    { what: "an item and nothing after its comma", value: `${anItem},` },
  ];
}

function wrongTexts(name: string, node: SchemaNode, refusesTwice = true): WrongValue[] {
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
