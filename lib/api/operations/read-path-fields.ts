import type { Operation } from "@/lib/api/operations/operation";
import { AppError } from "@/lib/contract/error";

/**
 * The ids in an operation's path.
 * @throws AppError the operation's own 404 for one that cannot name anything.
 */
export function readPathFields(
  operation: Operation,
  values: Record<string, unknown>,
): Record<string, unknown> {
  if (!operation.pathParameters) return {};
  const { schema, notFound } = operation.pathParameters;
  const parsed = schema.safeParse(values);
  if (parsed.success) return parsed.data;
  const field = parsed.error.issues[0]?.path[0];
  const code = typeof notFound === "string" ? notFound : notFound[String(field)];
  if (!code) throw new Error(`${operation.operationId} has no error for its path parameter ${String(field)}`);
  throw new AppError(code, "There is nothing with this id: ids are UUIDs.");
}
