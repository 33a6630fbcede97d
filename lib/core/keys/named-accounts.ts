import type { Permission } from "@/lib/contract/permissions";

/** The accounts that permissions name one by one, each once. Pure. */
export function namedAccounts(permissions: readonly Permission[]): string[] {
  const ids = permissions.flatMap((permission) => {
    switch (permission.type) {
      case "READ_ACCOUNTS":
      case "READ_TRANSFERS":
        return permission.accounts === "ALL" ? [] : permission.accounts;
      case "MANUAL_TRANSFER":
        return permission.entries.flatMap(({ source, target }) => [source, target]);
      default:
        return [];
    }
  });
  return [...new Set(ids)].filter((id) => id !== "ANY");
}

/** The rules that permissions name one by one, each once. Pure. */
export function namedRules(permissions: readonly Permission[]): string[] {
  const ids = permissions.flatMap((permission) =>
    "rules" in permission && permission.rules !== "ALL" ? permission.rules : [],
  );
  return [...new Set(ids)];
}
