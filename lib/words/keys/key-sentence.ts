import { formatCents } from "@/lib/contract/format-cents";
import type { KeyAccountView, KeyRuleView } from "@/lib/contract/keys/key-facts";
import type { Permission, ResourceList } from "@/lib/contract/permissions";
import { joinPhrases, joinWords, type Phrase, strong } from "@/lib/words/keys/key-phrases";
import {
  accountName,
  count,
  findPermission,
  type Route,
  readsEverything,
  ruleWords,
  type Transfers,
} from "@/lib/words/keys/key-powers";

/** Up to this many routes are named; more are counted. */
const NAMED_ROUTES = 4;

export interface Sayable {
  permissions: readonly Permission[];
  accounts: readonly KeyAccountView[];
  rules: readonly KeyRuleView[];
  /** The most that it may move within 24 hours without approval; null without a cap. */
  dailyCapInCents: number | null;
  /** What it may move by itself under mandates in force; unset: none is. */
  mandates?: { count: number; dayInCents: number; destinationNames: readonly string[] } | null;
  /** Whether the reader can approve. */
  canDecide: boolean;
}

/** Up to this many destinations of mandates are named. */
const NAMED_DESTINATIONS = 3;

/**
 * A key's permissions as a sentence without its subject: "can ask you to move up to $500.00 from Operating to Taxes.
 * Nothing moves until you approve."
 */
export function keySentence(key: Sayable): Phrase[] {
  const clauses = [movesClause(key), runsClause(key)].filter((clause) => clause !== null);
  const rest = restClauses(key);
  const [first, ...others] = [...clauses, ...rest];
  if (!first) return ["can only list your beneficiaries."];
  const sentences: Phrase[] = [...first, "."];
  // Permissions that move money have their own sentence; the others share one.
  for (const clause of others.filter((other) => clauses.includes(other)))
    sentences.push(" It ", ...clause, ".");
  const shared = others.filter((other) => rest.includes(other));
  if (shared.length > 0) sentences.push(" It ", ...joinPhrases(shared), ".");
  return [...sentences, ...byItself(key), ...consequence(key)];
}

/** "Under 2 mandates it moves up to $840.00 a day by itself, only to Redline Print and Comcast." */
function byItself({ mandates }: Sayable): Phrase[] {
  if (!mandates || mandates.count === 0) return [];
  const { count: number, dayInCents, destinationNames } = mandates;
  const named = destinationNames.slice(0, NAMED_DESTINATIONS);
  const more = destinationNames.length - named.length;
  const where = joinWords(more > 0 ? [...named, `${more} more`] : named);
  return [
    " Under ",
    strong(number === 1 ? "a mandate" : count(number, "mandate")),
    " it moves up to ",
    strong(`${formatCents(dayInCents)} a day`),
    ` by itself, only to ${where}.`,
  ];
}

function asks(key: Sayable): Phrase[] {
  return ["can ", strong("ask"), key.canDecide ? " you to " : " for approval to "];
}

function movesClause(key: Sayable): Phrase[] | null {
  const permission = findPermission(key.permissions, "MANUAL_TRANSFER");
  if (!permission || permission.entries.length === 0) return null;
  const verb: Phrase[] = permission.approval.required ? [...asks(key), "move "] : ["can move "];
  return [...verb, ...routePhrases(permission, key.accounts)];
}

function runsClause(key: Sayable): Phrase[] | null {
  const permission = findPermission(key.permissions, "TRIGGER_RULES");
  if (!permission) return null;
  const what = ruleWords(permission.rules, key.rules, "all rules");
  return permission.approval.required ? [...asks(key), `run ${what}`] : [`can run ${what}`];
}

function restClauses({ permissions, rules }: Sayable): Phrase[][] {
  const clauses: Phrase[][] = [];
  if (findPermission(permissions, "CREATE_ACCOUNTS")) clauses.push(["can create accounts"]);
  if (findPermission(permissions, "CONTROL_SANDBOX")) clauses.push(["can drive the sandbox"]);
  const reads = readWords(permissions, rules);
  if (reads.length > 0) clauses.push([`reads ${joinWords(reads)}`]);
  // Last, because nothing may follow its relative clause.
  const edits = findPermission(permissions, "CREATE_AND_EDIT_RULES");
  if (edits) {
    const what = ruleWords(edits.rules, rules, "rules");
    clauses.push([`can change ${what}, ${editsConsequence(edits.rules)}`]);
  }
  return clauses;
}

/** New rules start inactive; existing ones keep running their active version. */
function editsConsequence(rules: ResourceList): string {
  return rules === "ALL"
    ? "which stay off until a person activates them"
    : "in versions that stay off until a person activates them";
}

/** What it can read, item by item. */
function readWords(permissions: readonly Permission[], named: readonly KeyRuleView[]): string[] {
  if (readsEverything(permissions)) return ["everything"];
  const accounts = findPermission(permissions, "READ_ACCOUNTS");
  const transfers = findPermission(permissions, "READ_TRANSFERS");
  const rules = findPermission(permissions, "READ_RULES");
  const of = (list: "ALL" | readonly string[], noun: string) =>
    list === "ALL" ? `all ${noun}s` : count(list.length, noun);
  const isAllOfBoth = accounts?.accounts === "ALL" && transfers?.accounts === "ALL";
  return [
    isAllOfBoth ? "the balances and transfers of all accounts" : null,
    !isAllOfBoth && accounts && `the balances of ${of(accounts.accounts, "account")}`,
    !isAllOfBoth && transfers && `the transfers of ${of(transfers.accounts, "account")}`,
    rules && ruleWords(rules.rules, named, "all rules"),
    findPermission(permissions, "READ_AUDIT_LOGS") && "the audit log",
  ].filter((word) => typeof word === "string");
}

/** The consequence for the reader; empty if no money can move. */
function consequence({ permissions, canDecide, dailyCapInCents, mandates }: Sayable): Phrase[] {
  const starts = (["MANUAL_TRANSFER", "TRIGGER_RULES"] as const).flatMap((type) => {
    const permission = findPermission(permissions, type);
    return permission ? [permission] : [];
  });
  if (starts.length === 0) return [];
  if (starts.every(({ approval }) => approval.required)) {
    const until = canDecide ? "until you approve" : "until an owner or co-owner approves";
    return [" ", strong(`Nothing ${mandates ? "else " : ""}moves ${until}.`)];
  }
  const upTo = dailyCapInCents === null ? "." : `, up to ${formatCents(dailyCapInCents)} within 24 hours.`;
  if (starts.every(({ approval }) => !approval.required))
    return [" ", strong(`Nobody is asked before it moves money${upTo}`)];
  const alone = starts.find(({ approval }) => !approval.required);
  return [
    " ",
    strong(
      alone?.type === "MANUAL_TRANSFER"
        ? `Nobody is asked before its transfers move money${upTo}`
        : `Nobody is asked before the rules it runs move money${upTo}`,
    ),
  ];
}

/** "up to $500.00 from Operating to Taxes and any amount from Profit to Taxes" */
function routePhrases({ entries }: Transfers, accounts: readonly KeyAccountView[]): Phrase[] {
  const named = entries.length > NAMED_ROUTES + 1 ? entries.slice(0, NAMED_ROUTES) : entries;
  const groups = groupByLimit(named);
  // Stated once if all routes share a limit.
  const eachTime = groups.length === 1 && groups[0]?.limit !== undefined ? " at a time" : "";
  const phrases = groups.map(({ limit, routes }): Phrase[] => {
    const ways = joinWords(wayWords(routes, accounts));
    const amount: Phrase[] =
      limit === undefined ? [strong("any amount")] : ["up to ", strong(formatCents(limit))];
    return [...amount, `${eachTime} ${ways}`];
  });
  if (named.length < entries.length) phrases.push([`on ${entries.length - named.length} more routes`]);
  return joinPhrases(phrases);
}

function groupByLimit(entries: readonly Route[]): { limit: number | undefined; routes: Route[] }[] {
  const limits = [...new Set(entries.map((entry) => entry.max_amount))];
  return limits.map((limit) => ({ limit, routes: entries.filter((entry) => entry.max_amount === limit) }));
}

/** "from Operating or Profit to Taxes" or "from Operating to Taxes or Payroll": the shorter one. */
function wayWords(routes: readonly Route[], accounts: readonly KeyAccountView[]): string[] {
  const name = (id: string) => (id === "ANY" ? "any account" : accountName(id, accounts));
  const say = (sources: string[], targets: string[]) => {
    // "Any account" includes all others.
    const either = (ids: string[]) => (ids.includes("ANY") ? name("ANY") : joinWords(ids.map(name), "or"));
    if (sources.includes("ANY") && targets.includes("ANY")) return "between any two accounts";
    return `from ${either(sources)} to ${either(targets)}`;
  };
  const targets = [...new Set(routes.map((route) => route.target))];
  const sources = [...new Set(routes.map((route) => route.source))];
  if (targets.length <= sources.length) {
    return targets.map((target) =>
      say(
        routes.filter((route) => route.target === target).map((route) => route.source),
        [target],
      ),
    );
  }
  return sources.map((source) =>
    say(
      [source],
      routes.filter((route) => route.source === source).map((route) => route.target),
    ),
  );
}

/** In the list of keys: "Moves up to $5,000.00 on 3 routes, with your approval. Reads everything." */
export function keyPhrase(key: Sayable): Phrase[] {
  const moves = findPermission(key.permissions, "MANUAL_TRANSFER");
  const runs = findPermission(key.permissions, "TRIGGER_RULES");
  const sentences: Phrase[][] = [];
  const alone =
    key.dailyCapInCents === null
      ? "without asking"
      : `without asking up to ${formatCents(key.dailyCapInCents)} within 24 hours`;
  const approval = (required: boolean): Phrase =>
    strong(required ? (key.canDecide ? "with your approval" : "with approval") : alone);
  if (moves)
    sentences.push(["Moves ", ...shortRoutes(moves, key.accounts), ", ", approval(moves.approval.required)]);
  if (runs) {
    const what = ruleWords(runs.rules, key.rules, "all rules");
    sentences.push([`Runs ${what}, `, approval(runs.approval.required)]);
  }
  const rest = [
    findPermission(key.permissions, "CREATE_ACCOUNTS") && "creates accounts",
    findPermission(key.permissions, "CREATE_AND_EDIT_RULES") && "changes rules",
    findPermission(key.permissions, "CONTROL_SANDBOX") && "drives the sandbox",
    ...[joinWords(readWords(key.permissions, key.rules))].map((words) => words && `reads ${words}`),
  ].filter(Boolean);
  if (rest.length > 0) {
    const text = rest.join(", ");
    sentences.push([text.charAt(0).toUpperCase() + text.slice(1)]);
  }
  if (sentences.length === 0) return ["Only lists beneficiaries."];
  return sentences.flatMap((sentence, index) => [...(index > 0 ? [" "] : []), ...sentence, "."]);
}

function shortRoutes(transfers: Transfers, accounts: readonly KeyAccountView[]): Phrase[] {
  const entries = countingRoutes(transfers);
  const [first] = entries;
  if (entries.length === 1 && first) {
    const amount = first.max_amount === undefined ? "any amount" : `up to ${formatCents(first.max_amount)}`;
    return [`${amount} ${wayWords([first], accounts)[0] ?? ""}`];
  }
  const limits = entries.flatMap(({ max_amount: limit }) => limit ?? []);
  const unlimited = entries.length - limits.length;
  if (limits.length === 0) return [`any amount on ${entries.length} routes`];
  const most = `up to ${formatCents(Math.max(...limits))}`;
  if (unlimited === 0) return [`${most} on ${entries.length} routes`];
  const others = limits.length === 1 ? "the other" : "the others";
  return [`any amount on ${unlimited} of ${entries.length} routes, ${most} on ${others}`];
}

/** Drops routes that another one covers with the same or a higher limit: the most generous match counts. */
export function countingRoutes({ entries }: Transfers): Route[] {
  const limitOf = (route: Route) => route.max_amount ?? Number.POSITIVE_INFINITY;
  const covers = (wide: Route, narrow: Route) =>
    (wide.source === "ANY" || wide.source === narrow.source) &&
    (wide.target === "ANY" || wide.target === narrow.target) &&
    limitOf(wide) >= limitOf(narrow);
  return entries.filter(
    (route, index) =>
      !entries.some(
        (other, otherIndex) =>
          otherIndex !== index && covers(other, route) && (otherIndex < index || !covers(route, other)),
      ),
  );
}
