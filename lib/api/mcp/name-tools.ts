import { operations } from "@/lib/api/operations/table";

/** `/transfers/{id}`, as in the reference, to `/transfers/:id`, as in the table. */
const toTablePath = (path: string) => path.replace(/\{(\w+)\}/g, ":$1");

/**
 * Rewrites the reference for agents, which have tools instead of routes. `` `GET /transfers/{id}` `` becomes ``
 * `getTransfer` ``, and the two headers become their arguments.
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
