import { z } from "zod";

/** Params that name something. */
export const callToolParams = z.looseObject({
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()).nullish(),
});
export const getPromptParams = z.looseObject({
  name: z.string(),
  arguments: z.record(z.string(), z.string()).nullish(),
});
export const readResourceParams = z.looseObject({ uri: z.string() });
/** Everything fits one page, so no cursor is valid. */
export const listParams = z.looseObject({ cursor: z.null().optional() }).optional();

/** Maps, not records: a method called `constructor` would find the prototype's. */
const SCHEMAS: ReadonlyMap<string, z.ZodType> = new Map<string, z.ZodType>([
  ["tools/call", callToolParams],
  ["tools/list", listParams],
  ["prompts/get", getPromptParams],
  ["prompts/list", listParams],
  ["resources/read", readResourceParams],
  ["resources/list", listParams],
  ["resources/templates/list", listParams],
]);

/** What would be right, by the name of the param. */
const RIGHT: ReadonlyMap<string, string> = new Map([
  ["name", "must be a text: a name from the list"],
  ["arguments", "must be an object whose values are texts"],
  ["uri", "must be a text: an address from resources/list"],
  ["cursor", "must be left out: everything is on one page"],
]);

const messageSchema = z.looseObject({ method: z.string(), params: z.unknown() });

/** What is wrong with the params of a message, and what would be right: the SDK says it in words for its programmer. */
export function findParamProblem(message: object): string | null {
  const { method, params } = messageSchema.safeParse({ params: undefined, ...message }).data ?? {};
  const schema = method === undefined ? undefined : SCHEMAS.get(method);
  if (schema === undefined) return null;
  const parsed = schema.safeParse(method?.endsWith("/list") ? params : (params ?? {}));
  if (parsed.success) return null;
  const field = String(parsed.error.issues[0]?.path[0] ?? "params");
  return `${field} ${RIGHT.get(field) ?? "must be an object"}.`;
}

const oddCallSchema = z.looseObject({
  method: z.literal("tools/call"),
  params: z.looseObject({ name: z.string(), arguments: z.unknown() }),
});

/**
 * Takes arguments of a tool that are not an object out of their message: the SDK would refuse the message, and the tool itself
 * says what is wrong in a result, which the model that wrote them reads.
 */
export function takeOddArguments(message: object): { message: object; oddArguments?: unknown } {
  const { data } = oddCallSchema.safeParse(message);
  const sent = data?.params.arguments;
  if (!data || sent === undefined || (typeof sent === "object" && !Array.isArray(sent))) return { message };
  return { message: { ...data, params: { ...data.params, arguments: {} } }, oddArguments: sent };
}
