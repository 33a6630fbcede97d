import { dailyCapSchema, movesAlone } from "@/lib/contract/api-key";
import { formatCents, parseCents } from "@/lib/contract/format-cents";
import { MINIMUM_TRANSFER_IN_CENTS } from "@/lib/contract/limits";
import type { Permission } from "@/lib/contract/permissions";

/** The form of a new key while it is filled in. */
export interface KeyDraft {
  name: string;
  moves: boolean;
  routes: RouteDraft[];
  movesWithApproval: boolean;
  runs: ScopeDraft;
  runsWithApproval: boolean;
  /** As typed; empty: no cap. No effect while everything needs approval. */
  dailyCap: string;
  readsAccounts: ScopeDraft;
  readsTransfers: ScopeDraft;
  readsRules: ScopeDraft;
  readsAudit: boolean;
  createsAccounts: boolean;
  /** Offered only in a sandbox. */
  drivesSandbox: boolean;
  editsRules: ScopeDraft;
}

export interface RouteDraft {
  /** React's key for the row. */
  key: number;
  /** An account's ID, `ANY`, or empty. */
  source: string;
  target: string;
  /** As typed; empty: no limit. */
  limit: string;
}

export interface ScopeDraft {
  isOn: boolean;
  isAll: boolean;
  ids: string[];
}

export type PickedList = "accounts" | "transfers" | "runs" | "readsRules" | "editsRules";

export interface DraftProblem {
  /** `name`, `permissions`, `dailyCap`, one of the lists to pick from, or the key of a route. */
  at: "name" | "permissions" | "dailyCap" | PickedList | number;
  message: string;
}

const EMPTY_SCOPE: ScopeDraft = { isOn: false, isAll: true, ids: [] };

export const EMPTY_DRAFT: KeyDraft = {
  name: "",
  moves: false,
  routes: [{ key: 0, source: "", target: "", limit: "" }],
  movesWithApproval: true,
  runs: EMPTY_SCOPE,
  runsWithApproval: true,
  dailyCap: "",
  readsAccounts: EMPTY_SCOPE,
  readsTransfers: EMPTY_SCOPE,
  readsRules: EMPTY_SCOPE,
  readsAudit: false,
  createsAccounts: false,
  drivesSandbox: false,
  editsRules: EMPTY_SCOPE,
};

/** Without what is still incomplete. */
export function draftPermissions(draft: KeyDraft): Permission[] {
  const entries = draft.moves ? draft.routes.flatMap(toEntry) : [];
  const permissions: Permission[] = [];
  if (entries.length > 0) {
    permissions.push({
      type: "MANUAL_TRANSFER",
      entries,
      approval: { required: draft.movesWithApproval },
    });
  }
  const run = toList(draft.runs);
  if (run) {
    permissions.push({ type: "TRIGGER_RULES", rules: run, approval: { required: draft.runsWithApproval } });
  }
  const accounts = toList(draft.readsAccounts);
  if (accounts) permissions.push({ type: "READ_ACCOUNTS", accounts });
  const transfers = toList(draft.readsTransfers);
  if (transfers) permissions.push({ type: "READ_TRANSFERS", accounts: transfers });
  const read = toList(draft.readsRules);
  if (read) permissions.push({ type: "READ_RULES", rules: read });
  if (draft.readsAudit) permissions.push({ type: "READ_AUDIT_LOGS" });
  if (draft.createsAccounts) permissions.push({ type: "CREATE_ACCOUNTS" });
  if (draft.drivesSandbox) permissions.push({ type: "CONTROL_SANDBOX" });
  const edited = toList(draft.editsRules);
  if (edited) permissions.push({ type: "CREATE_AND_EDIT_RULES", rules: edited });
  return permissions;
}

/** Null: no cap, or not an amount. */
export function draftCap(draft: KeyDraft): number | null {
  return movesAlone(draftPermissions(draft)) ? parseCents(draft.dailyCap) : null;
}

export function capProblem(typed: string): string | null {
  if (typed.trim() === "") return null;
  const cents = parseCents(typed);
  return cents === null || !dailyCapSchema.safeParse(cents).success
    ? "Enter an amount like 5,000.00, or leave it empty for no cap."
    : null;
}

function toEntry({ source, target, limit }: RouteDraft) {
  if (source === "" || target === "" || isToItself({ source, target })) return [];
  if (limit.trim() === "") return [{ source, target }];
  const cents = parseCents(limit);
  return cents === null || cents < MINIMUM_TRANSFER_IN_CENTS ? [] : [{ source, target, max_amount: cents }];
}

function toList({ isOn, isAll, ids }: ScopeDraft): "ALL" | string[] | null {
  if (!isOn || (!isAll && ids.length === 0)) return null;
  return isAll ? "ALL" : ids;
}

function isToItself({ source, target }: Pick<RouteDraft, "source" | "target">): boolean {
  return source === target && source !== "ANY";
}

/** In the order of the form. */
export function draftProblems(draft: KeyDraft): DraftProblem[] {
  const problems: DraftProblem[] = [];
  if (draft.name.trim() === "")
    problems.push({ at: "name", message: "Enter a name like claude-bookkeeping." });
  if (draft.moves) problems.push(...routeProblems(draft.routes));
  const pick = "Pick at least one account, or all.";
  const pickRule = "Pick at least one rule, or all.";
  if (isNoneOf(draft.runs)) problems.push({ at: "runs", message: pickRule });
  if (isNoneOf(draft.readsAccounts)) problems.push({ at: "accounts", message: pick });
  if (isNoneOf(draft.readsTransfers)) problems.push({ at: "transfers", message: pick });
  if (isNoneOf(draft.readsRules)) problems.push({ at: "readsRules", message: pickRule });
  if (isNoneOf(draft.editsRules)) problems.push({ at: "editsRules", message: pickRule });
  const cap = movesAlone(draftPermissions(draft)) ? capProblem(draft.dailyCap) : null;
  if (cap) problems.push({ at: "dailyCap", message: cap });
  if (problems.length === 0 && draftPermissions(draft).length === 0)
    problems.push({ at: "permissions", message: "Pick at least one permission." });
  return problems;
}

function isNoneOf({ isOn, isAll, ids }: ScopeDraft): boolean {
  return isOn && !isAll && ids.length === 0;
}

function routeProblems(routes: readonly RouteDraft[]): DraftProblem[] {
  const seen = new Set<string>();
  return routes.flatMap((route): DraftProblem[] => {
    const message = routeProblem(route, seen);
    seen.add(`${route.source} ${route.target}`);
    return message ? [{ at: route.key, message }] : [];
  });
}

function routeProblem(route: RouteDraft, seen: ReadonlySet<string>): string | null {
  if (route.source === "" || route.target === "") return "Pick a source and a destination.";
  if (isToItself(route)) return "Pick two different accounts.";
  if (seen.has(`${route.source} ${route.target}`)) return "This route is already listed.";
  if (route.limit.trim() === "") return null;
  const cents = parseCents(route.limit);
  if (cents === null) return "Enter an amount like 1,000.00, or leave it empty for no limit.";
  return cents < MINIMUM_TRANSFER_IN_CENTS
    ? `The limit must be at least ${formatCents(MINIMUM_TRANSFER_IN_CENTS)}, the smallest transfer.`
    : null;
}

/** What a hint's button changes: transfers of the accounts whose balances the key reads, and no others. */
export function fixedDraft(draft: KeyDraft): Partial<KeyDraft> {
  return { readsTransfers: { ...draft.readsAccounts } };
}
