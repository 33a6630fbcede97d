import type { Operation } from "@/lib/api/operations/operation";
import { operations } from "@/lib/api/operations/table";

/** What an agent reads before it chooses a tool: what it does, and when it is the right one. */
export function describeTool(operation: Pick<Operation, "description" | "tool">): string {
  return `${nameTools(operation.description)}\n\n${operation.tool.useWhen}`;
}

/**
 * Words of the reference, for agents: they have tools where programs have routes. `` `GET /transfers/{id}` `` becomes
 * `` `getTransfer` ``, and the two headers become the arguments that stand for them.
 */
export function nameTools(text: string): string {
  return text
    .replace(/`(GET|POST|PUT) (\/[^`]*)`/g, (route, method: string, path: string) => {
      const found = operations.find((one) => one.method === method && one.path === toTablePath(path));
      return found ? `\`${found.operationId}\`` : route;
    })
    .replaceAll("`idempotency-key`", "`idempotencyKey`")
    .replaceAll("`x-called-reason`", "`calledReason`")
    .replace(/`(\w+)=(\w+)`/g, '`$1: "$2"`');
}

/** `/transfers/{id}`, as the reference writes it, as the table does: `/transfers/:id`. */
const toTablePath = (path: string) => path.replace(/\{(\w+)\}/g, ":$1");
