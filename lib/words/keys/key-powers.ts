import type { KeyAccountView, KeyRuleView } from "@/lib/contract/keys/key-facts";
import type { Permission, PermissionOf, PermissionType, ResourceList } from "@/lib/contract/permissions";
import { joinWords } from "@/lib/words/keys/key-phrases";

/** Permissions in words. Pure. */

export type Transfers = PermissionOf<"MANUAL_TRANSFER">;
export type Route = Transfers["entries"][number];

export function findPermission<T extends PermissionType>(
  permissions: readonly Permission[],
  type: T,
): PermissionOf<T> | null {
  const isOfType = (candidate: Permission): candidate is PermissionOf<T> => candidate.type === type;
  return permissions.find(isOfType) ?? null;
}

/** The name of an account in a permission; an unlisted one was closed. */
export function accountName(id: string, accounts: readonly KeyAccountView[]): string {
  return accounts.find((account) => account.id === id)?.name ?? "a closed account";
}

/** Up to this many rules are named; more are counted. */
const NAMED_RULES = 3;

/** `the rule Payday`, `the rules Payday and Card payoff`, `5 rules`; an unlisted one was deleted. */
export function ruleWords(rules: ResourceList, known: readonly KeyRuleView[], all: string): string {
  if (rules === "ALL") return all;
  if (rules.length > NAMED_RULES) return count(rules.length, "rule");
  const names = rules.flatMap((id) => known.find((rule) => rule.id === id)?.name ?? []);
  const deleted = rules.length - names.length;
  const gone = deleted === 0 ? [] : [deleted === 1 ? "a deleted rule" : count(deleted, "deleted rule")];
  if (names.length === 0) return gone.join("");
  const [first = ""] = names;
  const listed = names.length === 1 ? [`the rule ${first}`] : [`the rules ${first}`, ...names.slice(1)];
  return joinWords([...listed, ...gone]);
}

/** Whether a route can end outside Sluice. */
export function leavesSluice({ source, target }: Route, accounts: readonly KeyAccountView[]): boolean {
  const isOutside = (id: string) => accounts.some((account) => account.id === id && account.isOutside);
  if (isOutside(source)) return false;
  return target === "ANY" ? accounts.some((account) => account.isOutside) : isOutside(target);
}

export function readsEverything(permissions: readonly Permission[]): boolean {
  return (
    findPermission(permissions, "READ_ACCOUNTS")?.accounts === "ALL" &&
    findPermission(permissions, "READ_TRANSFERS")?.accounts === "ALL" &&
    findPermission(permissions, "READ_RULES")?.rules === "ALL" &&
    findPermission(permissions, "READ_AUDIT_LOGS") !== null
  );
}

/** `1 account`, `3 accounts`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
