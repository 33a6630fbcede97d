import type { KeyAccountView } from "@/lib/contract/keys/key-facts";
import type { Permission } from "@/lib/contract/permissions";
import { joinWords } from "@/lib/words/keys/key-phrases";
import {
  accountName,
  count,
  findPermission,
  leavesSluice,
  type Transfers,
} from "@/lib/words/keys/key-powers";

export interface Hint {
  id:
    | "ALL_LIMITED"
    | "NO_LIMIT"
    | "MOVES_ALONE"
    | "RUNS_ALONE"
    | "ANY_TO_ANY"
    | "LEAVES"
    | "SEES_MORE_TRANSFERS"
    | "WRITES_RULES"
    | "TRIES_BALANCES"
    | "READS_AUDIT";
  /** `LOOK` deserves a second look. */
  outcome: "CLEAR" | "LOOK";
  title: string;
  text: string;
  /** Label of the button that resolves it (`fixedDraft`). */
  fix?: string;
}

/** Facts to know before creating such a key. */
export function worthKnowing(
  permissions: readonly Permission[],
  accounts: readonly KeyAccountView[],
  dailyCapInCents: number | null,
): Hint[] {
  const moves = findPermission(permissions, "MANUAL_TRANSFER");
  return [
    ...(moves && moves.entries.length > 0 ? transferHints(moves, accounts, dailyCapInCents) : []),
    ...ruleHints(permissions, dailyCapInCents),
    ...readHints(permissions),
    ...trialHints(permissions),
  ];
}

/** Whether dry runs reveal more than the key may read: they need no approval, on every account that the key may try. */
export function triesUnreadable(permissions: readonly Permission[]): boolean {
  const readable = findPermission(permissions, "READ_ACCOUNTS")?.accounts ?? [];
  const isReadable = (id: string) => readable === "ALL" || (id !== "ANY" && readable.includes(id));
  const moves = findPermission(permissions, "MANUAL_TRANSFER");
  const triesRules = findPermission(permissions, "TRIGGER_RULES") !== null && readable !== "ALL";
  const triesTransfers = moves?.entries.some(({ source }) => !isReadable(source)) ?? false;
  return triesRules || triesTransfers;
}

export const DRY_RUNS_HINT =
  "It sees no balances of those accounts, but a dry run reveals whether there is enough money and whether a rule’s conditions are met. Many of them can narrow down a balance.";

function trialHints(permissions: readonly Permission[]): Hint[] {
  if (!triesUnreadable(permissions)) return [];
  const title = "Its dry runs reveal balances it may not read";
  return [{ id: "TRIES_BALANCES", outcome: "LOOK", title, text: DRY_RUNS_HINT }];
}

function transferHints(
  moves: Transfers,
  accounts: readonly KeyAccountView[],
  dailyCapInCents: number | null,
): Hint[] {
  const hints: Hint[] = [limitHint(moves, accounts)];
  if (moves.entries.some(({ source, target }) => source === "ANY" && target === "ANY")) {
    hints.push({
      id: "ANY_TO_ANY",
      outcome: "LOOK",
      title: "It moves between any two accounts",
      text: "Including accounts that you add later. List routes to limit it.",
    });
  }
  if (!moves.approval.required) {
    hints.push({
      id: "MOVES_ALONE",
      outcome: "LOOK",
      title: "It moves money without approval",
      text: `No one sees a transfer before it happens. ${dailyCapInCents === null ? "Only floors limit it" : "Only floors and its daily cap limit it"}. This cannot be changed later.`,
    });
  }
  if (moves.entries.some((route) => leavesSluice(route, accounts))) {
    hints.push({
      id: "LEAVES",
      outcome: "LOOK",
      title: "It may send money outside Sluice",
      text: `${moves.approval.required ? "Once approved and with the bank, it" : "What the bank has"} cannot be recalled.`,
    });
  }
  return hints;
}

function limitHint({ entries }: Transfers, accounts: readonly KeyAccountView[]): Hint {
  const open = entries.filter((entry) => entry.max_amount === undefined);
  const [first] = open;
  if (!first) {
    const all = entries.length === 2 ? "Both routes have" : `All ${entries.length} routes have`;
    return {
      id: "ALL_LIMITED",
      outcome: "CLEAR",
      title: `${entries.length === 1 ? "The route has" : all} a limit`,
      text: "The limit is for each transfer, not for each day.",
    };
  }
  const side = (id: string) => (id === "ANY" ? "any account" : accountName(id, accounts));
  const route = `${side(first.source)} to ${side(first.target)}`;
  return {
    id: "NO_LIMIT",
    outcome: "LOOK",
    title:
      open.length === 1
        ? `${route.charAt(0).toUpperCase()}${route.slice(1)} has no limit`
        : `${open.length} routes have no limit`,
    text: "One transfer could empty the source.",
  };
}

function ruleHints(permissions: readonly Permission[], dailyCapInCents: number | null): Hint[] {
  const hints: Hint[] = [];
  const runs = findPermission(permissions, "TRIGGER_RULES");
  if (runs && !runs.approval.required) {
    hints.push({
      id: "RUNS_ALONE",
      outcome: "LOOK",
      title: "It runs rules without approval",
      text: `Its rules move money at once${dailyCapInCents === null ? "" : ", within the daily cap"}. This cannot be changed later.`,
    });
  }
  if (findPermission(permissions, "CREATE_AND_EDIT_RULES")) {
    hints.push({
      id: "WRITES_RULES",
      outcome: "LOOK",
      title: "It writes rules",
      text: "They stay off until a person activates them. An active rule moves money by itself.",
    });
  }
  return hints;
}

function readHints(permissions: readonly Permission[]): Hint[] {
  const hints: Hint[] = [];
  const balances = findPermission(permissions, "READ_ACCOUNTS")?.accounts;
  const transfers = findPermission(permissions, "READ_TRANSFERS")?.accounts;
  if (balances !== undefined && balances !== "ALL" && transfers === "ALL") {
    hints.push({
      id: "SEES_MORE_TRANSFERS",
      outcome: "LOOK",
      title: "It sees transfers everywhere",
      text: `It reads balances of only ${count(balances.length, "account")}. Pick the same here to keep the rest private.`,
      fix: balances.length === 1 ? "Use the same one" : `Use the same ${balances.length}`,
    });
  }
  if (findPermission(permissions, "READ_AUDIT_LOGS")) {
    hints.push({
      id: "READS_AUDIT",
      outcome: "LOOK",
      title: "It sees what other keys do",
      text: `The audit log has ${joinWords(["every request", "its path", "its reason"])}.`,
    });
  }
  return hints;
}
