/** `createTransfer` → `CreateTransfer`. */
export function toTypeName(operationId: string): string {
  return `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}`;
}

/** `TRANSFER_NOT_FOUND` → `TransferNotFound`. */
export function codeToTypeName(code: string): string {
  return code
    .split("_")
    .map((word) => `${word.charAt(0)}${word.slice(1).toLowerCase()}`)
    .join("");
}

/** `/accounts/:id` → `/accounts/{id}`. */
export function toOpenApiPath(path: string): string {
  return path.replace(/:(\w+)/g, "{$1}");
}

/** `/accounts/:id` → `["id"]`. */
export function pathFieldsOf(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
}
