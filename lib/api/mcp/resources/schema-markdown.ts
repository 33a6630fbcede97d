import type { ObjectSchema } from "@/lib/api/mcp/input-schema";
import type { JsonSchema } from "@/lib/api/openapi/json-schema";

/** A JSON Schema as Markdown for agents: a section per shape, each said once, so that the text stays short. */
export function schemaMarkdown(title: string, { $defs = {}, ...schema }: ObjectSchema): string {
  const sections = [[title, schema] as const, ...Object.entries($defs)];
  return sections.map(([name, shape]) => section(name, shape)).join("\n\n");
}

function section(name: string, schema: JsonSchema): string {
  const shapes = schema.oneOf ?? schema.anyOf ?? [];
  return [
    `### ${name}`,
    ...(schema.description ? [schema.description] : []),
    ...(shapes.length > 0 ? shapesLines(shapes) : fieldLines(schema)),
  ].join("\n\n");
}

/** What all shapes share is said once, before what sets each apart. */
function shapesLines(shapes: readonly JsonSchema[]): string[] {
  const [first, ...others] = shapes;
  const shared = Object.keys(first?.properties ?? {}).filter((name) =>
    others.every((shape) => isSame(shape.properties?.[name], first?.properties?.[name])),
  );
  return [
    ...(shared.length > 0 && first
      ? ["Each shape has:", ...fieldLines(first, (name) => shared.includes(name))]
      : []),
    "One of these shapes:",
    ...shapes.map((shape) =>
      [
        `**${shapeName(shape)}**${shape.description ? `: ${shape.description}` : ""}`,
        ...fieldLines(shape, (name) => !shared.includes(name)),
      ].join("\n\n"),
    ),
  ];
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** `FIXED`, by the one field that is always the same; else by the names of its fields. */
function shapeName({ properties = {} }: JsonSchema): string {
  const constant = Object.values(properties).find((field) => typeof field.const === "string")?.const;
  return `\`${typeof constant === "string" ? constant : Object.keys(properties).join(", ")}\``;
}

/** The fields of an object as one list; none where it has none, or only what its name says. */
function fieldLines(schema: JsonSchema, isTold: (name: string) => boolean = () => true): string[] {
  const lines = Object.entries(schema.properties ?? {})
    .filter(([name]) => isTold(name))
    .map(([name, field]) => fieldLine(name, field, schema.required?.includes(name) ?? false));
  return lines.length === 0 ? [] : [lines.join("\n")];
}

function fieldLine(name: string, field: JsonSchema, isRequired: boolean): string {
  const otherwise = field.default === undefined ? "" : `; default ${JSON.stringify(field.default)}`;
  const description = field.description ? ` ${field.description}` : "";
  return `- \`${name}\` (${isRequired ? "required" : "optional"}): ${typeWords(field)}${otherwise}.${description}`;
}

/** What a value may be, in a few words. */
function typeWords(schema: JsonSchema): string {
  if (schema.$ref) return schema.$ref.replace("#/$defs/", "");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" or ");
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives) return alternatives.map(alternativeWords).join(" or ");
  if (schema.type === "array") return listWords(schema);
  if (schema.type === "integer") return `whole number ${numbers(schema)}`.trim();
  if (schema.type === "number") return `number ${numbers(schema)}`.trim();
  if (schema.type === "string") return stringWords(schema);
  return String(schema.type ?? "any value");
}

function listWords({ items = {}, minItems, maxItems }: JsonSchema): string {
  const count = range(minItems, maxItems).trim();
  return `list of ${typeWords(items)}${count ? ` (${count})` : ""}`;
}

/** An object without a name is told by its fields. */
function alternativeWords(schema: JsonSchema): string {
  if (!schema.properties) return typeWords(schema);
  const fields = Object.entries(schema.properties).map(([name, field]) => `${name}: ${typeWords(field)}`);
  return `{ ${fields.join(", ")} }`;
}

function stringWords({ format, minLength, maxLength, pattern }: JsonSchema): string {
  if (format) return format;
  if (pattern) return `text that matches ${pattern}`;
  return `text of ${range(minLength, maxLength)}characters`;
}

const numbers = ({ minimum, exclusiveMinimum, maximum }: JsonSchema) =>
  exclusiveMinimum === undefined
    ? range(minimum, maximum).trim()
    : `above ${exclusiveMinimum}, at most ${maximum ?? "any"}`;

function range(from: number | undefined, to: number | undefined): string {
  if (from !== undefined && to !== undefined) return `${from} to ${to} `;
  if (from !== undefined) return `${from} or more `;
  return to === undefined ? "" : `up to ${to} `;
}
