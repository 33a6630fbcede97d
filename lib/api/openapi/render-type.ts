import { componentName, type JsonSchema } from "@/lib/api/openapi/json-schema";

/** A schema as a type of TypeScript, from the column where it stands. */
export function renderType(schema: JsonSchema, indent = ""): string {
  const name = componentName(schema);
  if (name) return name;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return union(schema.enum.map((value) => JSON.stringify(value)));
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives) return union(alternatives.map((one) => renderType(one, indent)));
  if (schema.allOf) return schema.allOf.map((one) => bracket(renderType(one, indent))).join(" & ");
  const types = typeof schema.type === "string" ? [schema.type] : (schema.type ?? ["unknown"]);
  return union(types.map((type) => renderPlain(type, schema, indent)));
}

function renderPlain(type: string, schema: JsonSchema, indent: string): string {
  switch (type) {
    case "string":
    case "boolean":
    case "null":
    case "unknown":
      return type;
    case "integer":
    case "number":
      return "number";
    case "array":
      return renderArray(schema, indent);
    case "object":
      return renderObject(schema, indent);
    default:
      throw new Error(`There is no type of TypeScript for ${type}`);
  }
}

function renderArray(schema: JsonSchema, indent: string): string {
  if (schema.prefixItems) return `[${schema.prefixItems.map((item) => renderType(item, indent)).join(", ")}]`;
  return `${bracket(renderType(schema.items ?? {}, indent))}[]`;
}

/** The fields of an object in braces, each with its description. */
export function renderObject(schema: JsonSchema, indent: string): string {
  const fields = Object.entries(schema.properties ?? {});
  if (fields.length === 0) {
    const values = schema.additionalProperties;
    return `Record<string, ${typeof values === "object" ? renderType(values, indent) : "unknown"}>`;
  }
  const inner = `${indent}  `;
  const lines = fields.flatMap(([name, field]) => {
    const mark = schema.required?.includes(name) ? "" : "?";
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
    return [
      ...renderComment(field.description, inner),
      `${inner}${key}${mark}: ${renderType(field, inner)};`,
    ];
  });
  return ["{", ...lines, `${indent}}`].join("\n");
}

/** A comment above a declaration; a text that would end it is defused. */
export function renderComment(text: string | undefined, indent: string): string[] {
  if (!text) return [];
  const lines = text.replaceAll("*/", "*\\/").split("\n");
  if (lines.length === 1) return [`${indent}/** ${lines[0]} */`];
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`.trimEnd()), `${indent} */`];
}

const union = (types: string[]) => [...new Set(types)].join(" | ");
const bracket = (type: string) => (/ [|&] /.test(type) && !type.startsWith("{") ? `(${type})` : type);
