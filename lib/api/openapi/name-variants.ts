import { codeToTypeName, toTypeName } from "@/lib/api/openapi/document";
import {
  COMPONENTS_PREFIX,
  componentName,
  type JsonSchema,
  mapChildren,
} from "@/lib/api/openapi/json-schema";

type Components = Readonly<Record<string, JsonSchema>>;

const NULL: JsonSchema = { type: "null" };
const INPUT = "Input";

/**
 * Unions as generators of clients read them: `oneOf` of components, each named after what tells it from the others. An
 * inline variant becomes a numbered class, or is merged with its neighbors; `anyOf` with null around a reference is lost
 * (docs/guides, "Generated clients").
 * @throws Error when two variants would have one name: give them a `title` each
 */
export function nameVariants(components: Components): Record<string, JsonSchema> {
  const named = new Map<string, JsonSchema>();
  /** Unions that are only referenced beside null: their component holds the null. */
  const nullable = new Map<string, { schema: JsonSchema; references: number }>();
  const add = (name: string, schema: JsonSchema): JsonSchema => {
    const known = named.get(name) ?? components[name];
    if (known && JSON.stringify(known) !== JSON.stringify(schema))
      throw new Error(`Two different schemas are called ${name}`);
    named.set(name, schema);
    return { $ref: `${COMPONENTS_PREFIX}${name}` };
  };

  const visit = (schema: JsonSchema, name: string): JsonSchema => {
    const { anyOf, oneOf, ...own } = schema;
    const members = (oneOf ?? anyOf ?? []).filter((one) => one.type !== "null");
    const isNullable = members.length < (oneOf ?? anyOf ?? []).length;
    if (!members.some(isNamedOrObject)) return visitChildren(schema, name);
    const [only, another] = members;
    const target = only && !another ? componentName(only) : null;
    if (only && target !== null) return visitNullable({ ...own }, only, target);
    const variants = members.map((member) => visitMember(mergeInto(own, member), members, name));
    const rest = own.properties ? pickDescription(own) : own;
    return { ...rest, oneOf: [...variants, ...(isNullable ? [NULL] : [])] };
  };

  /** A union and null are one union, because generators lose the null around a union's reference. */
  const visitNullable = (own: JsonSchema, reference: JsonSchema, target: string): JsonSchema => {
    const union = components[target];
    if (union === undefined || !isUnion(union)) return { ...own, oneOf: [reference, NULL] };
    const visited = visit(union, target);
    const references = 1 + (nullable.get(target)?.references ?? 0);
    nullable.set(target, { schema: { ...visited, oneOf: [...(visited.oneOf ?? []), NULL] }, references });
    return { ...own, ...reference };
  };

  const visitMember = (member: JsonSchema, members: readonly JsonSchema[], name: string): JsonSchema => {
    if (member.$ref !== undefined || !member.properties) return visitChildren(member, name);
    const variantName = nameOf(member, members, name);
    const { title, ...variant } = visitChildren(closeWhatDiffers(member, members), variantName);
    return add(variantName, variant);
  };

  const visitChildren = (schema: JsonSchema, name: string): JsonSchema => {
    if (!schema.properties) return mapChildren(schema, (child) => visit(child, name));
    const properties = Object.entries(schema.properties).map(([field, child]) => [
      field,
      visit(child, joinNames(name, toTypeName(field))),
    ]);
    return { ...schema, properties: Object.fromEntries(properties) };
  };

  const visited = Object.entries(components).map(([name, schema]) => [name, visit(schema, name)] as const);
  const withNull = [...nullable].map(([name, { schema }]) => [name, schema] as const);
  const all = Object.fromEntries(
    [...visited, ...named, ...withNull].sort(([one], [other]) => (one < other ? -1 : 1)),
  );
  const text = JSON.stringify(all);
  for (const [name, { references }] of nullable)
    if (text.split(`"${COMPONENTS_PREFIX}${name}"`).length - 1 !== references)
      throw new Error(`${name} may be null in one place and not in another: name both`);
  return all;
}

const isUnion = (schema: JsonSchema) => !schema.properties && (schema.oneOf ?? schema.anyOf) !== undefined;
const isNamedOrObject = (schema: JsonSchema) => schema.$ref !== undefined || schema.properties !== undefined;
const pickDescription = ({ description }: JsonSchema): JsonSchema => (description ? { description } : {});

/** `RuleActionInput` and `Fixed` are `RuleActionFixedInput`. */
function joinNames(name: string, suffix: string): string {
  return name.endsWith(INPUT) ? `${name.slice(0, -INPUT.length)}${suffix}${INPUT}` : `${name}${suffix}`;
}

/** Its title, or that of the union with its constant (`type: "FIXED"`) or the fields that only it requires. */
function nameOf(member: JsonSchema, members: readonly JsonSchema[], name: string): string {
  if (member.title !== undefined) return name.endsWith(INPUT) ? `${member.title}${INPUT}` : member.title;
  for (const field of Object.values(member.properties ?? {}))
    if (typeof field.const === "string") return joinNames(name, codeToTypeName(field.const));
  const others = members.filter((one) => one !== member).flatMap(({ required = [] }) => required);
  const own = (member.required ?? []).filter((field) => !others.includes(field));
  return joinNames(name, own.map(toTypeName).join(""));
}

/** An object of one of several forms: each form is the whole object, so that a value fits exactly one. */
function mergeInto(whole: JsonSchema, form: JsonSchema): JsonSchema {
  if (!whole.properties) return form;
  const { description, ...rest } = whole;
  const properties = Object.entries(whole.properties).flatMap(([field, schema]) => {
    const closer = form.properties?.[field];
    if (!closer) return [[field, schema] as const];
    // A field that a form does not have is null or left out: clients need no class for it.
    if (closer.type === "null") return [];
    return [[field, { ...pickDescription(schema), ...withoutNull(schema), ...closer }] as const];
  });
  return {
    ...rest,
    ...(form.title !== undefined && { title: form.title }),
    properties: Object.fromEntries(properties),
    required: [...new Set([...(whole.required ?? []), ...(form.required ?? [])])],
  };
}

/** The one alternative beside null. */
function withoutNull(schema: JsonSchema): JsonSchema {
  const [only, another] = schema.anyOf?.filter((one) => one.type !== "null") ?? [];
  return only && !another ? only : schema;
}

/** What tells one variant from another stays a closed list, also in an answer: with an open one, a value would fit several. */
function closeWhatDiffers(member: JsonSchema, members: readonly JsonSchema[]): JsonSchema {
  const properties = Object.entries(member.properties ?? {}).map(([field, schema]) => {
    const { "x-extensible-enum": values, ...rest } = schema;
    const text = JSON.stringify(values);
    const differs = members.some(
      ({ properties: other }) => other?.[field] && JSON.stringify(other[field]["x-extensible-enum"]) !== text,
    );
    return [field, values !== undefined && differs ? { ...rest, enum: values } : schema];
  });
  return { ...member, properties: Object.fromEntries(properties) };
}
