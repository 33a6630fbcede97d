import { createHash } from "node:crypto";
import type { ActivationCheck, ActivationOutcome } from "@/lib/contract/rules/activation-check";
import type { AccountFacts } from "@/lib/contract/rules/facts";
import {
  type Rule,
  type RuleActivation,
  type RuleDefinition,
  storedRuleDefinitionSchema,
} from "@/lib/contract/rules/rule";
import { type AskProbe, probeInSlices } from "@/lib/core/rules/probe-subject";
import { namesOf } from "@/lib/core/rules/read-account-names";
import { readAccountFacts } from "@/lib/core/rules/read-rule-facts";
import type { CallerActor, Context } from "@/lib/core/shared/context";
import { readDecidedLookAlikes } from "@/lib/core/shared/look-alikes";
import { covers, permissionOf } from "@/lib/core/shared/permits";
import type { Queryable } from "@/lib/db/transaction";
import { accountsOf } from "@/lib/engine/accounts-of";
import { checkActivation, type JoinedRule, probeDate } from "@/lib/engine/check-activation";
import { upcoming } from "@/lib/engine/schedule/occurrences";
import { inSlices } from "@/lib/platform/slices";
import { checkWords } from "@/lib/words/rules/activation-words";

interface Activation {
  definition: RuleDefinition;
  accounts: Record<string, AccountFacts>;
  checks: ActivationCheck[];
  /** Null without a schedule, or if it has ended. */
  nextRunAt: Date | null;
  /** `activationDigest` of all of this. */
  digest: string;
}

interface Where {
  organizationId: string;
  /** Business time. */
  now: Date;
}

interface ActivationVersion {
  ruleId: string;
  version: number;
  /** The version that it would replace; null if none is active. */
  activeVersion: number | null;
  definition: RuleDefinition;
}

/**
 * What a person sees before they activate a version, as of now. In the activating transaction the lock of the
 * organization's rules keeps it unchanged until the commit.
 * @param options.read the facts of the version's accounts, if they are being read already
 * @param options.ask in a transaction, that of `withProbes`
 */
export async function readActivation(
  database: Queryable,
  where: Where,
  of: ActivationVersion,
  { read, ask = probeInSlices }: { read?: Promise<Record<string, AccountFacts>>; ask?: AskProbe } = {},
): Promise<Activation> {
  const { definition } = of;
  const accounts = await (read ?? readAccountFacts(database, where, accountsOf(definition)));
  const otherActiveRules = await readOtherActiveRules(database, where.organizationId, of.ruleId);
  const nextRunAt = nextRun(definition, where.now);
  const names = await readDecidedLookAlikes(database, where.organizationId, {
    accountIds: Object.keys(accounts),
    rule: { id: of.ruleId, name: definition.name },
  });
  const nowAt = where.now.toISOString();
  const probe = await ask({ definition, accounts, today: probeDate(nowAt) });
  const checks: ActivationCheck[] = checkActivation(
    {
      ruleId: of.ruleId,
      definition,
      otherActiveRules,
      accounts,
      nowAt,
      nextRunAt: nextRunAt?.toISOString() ?? null,
    },
    probe,
  );
  if (names.length > 0) checks.push({ kind: "LOOK_ALIKE", outcome: "LOOK", names });
  return { definition, accounts, checks, nextRunAt, digest: activationDigest(of, accounts, checks) };
}

/** The version's definition; null if it does not exist or this version of Sluice cannot represent it. */
export async function readVersionDefinition(
  database: Queryable,
  organizationId: string,
  { ruleId, version }: { ruleId: string; version: number },
): Promise<RuleDefinition | null> {
  const { rows } = await database.query<{ definition: unknown }>({
    name: "read_version_definition",
    text: "select definition from rule_versions where organization_id = $1 and rule_id = $2 and version = $3",
    values: [organizationId, ruleId, version],
  });
  return storedRuleDefinitionSchema.safeParse(rows[0]?.definition).data ?? null;
}

interface ActiveRow {
  id: string;
  name: string;
  activeTriggerType: JoinedRule["trigger"]["type"];
  activeTriggerAccountId: string;
  definition: string;
}

/** Every other active rule of the organization, reduced to what can connect it to this one. */
export async function readOtherActiveRules(
  database: Queryable,
  organizationId: string,
  ruleId: string,
): Promise<JoinedRule[]> {
  const { rows } = await database.query<ActiveRow>({
    name: "read_other_active_rules",
    text: `
      select r.id, v.definition ->> 'name' as name, r.active_trigger_type as "activeTriggerType",
          r.active_trigger_account_id as "activeTriggerAccountId",
          v.definition::text as definition
        from rules r join rule_versions v
          on v.organization_id = r.organization_id and v.rule_id = r.id and v.version = r.active_version
       where r.organization_id = $1 and r.active_version is not null and r.id <> $2
       order by r.id`,
    values: [organizationId, ruleId],
  });
  return inSlices(joining(rows));
}

/** In slices, because other rules may be as large as a body, and each is parsed once. */
function* joining(rows: readonly ActiveRow[]): Generator<void, JoinedRule[]> {
  const joined: JoinedRule[] = [];
  for (const row of rows) {
    yield;
    joined.push({
      id: row.id,
      name: row.name,
      trigger: { type: row.activeTriggerType, accountId: row.activeTriggerAccountId },
      // A rule that this version of Sluice cannot represent does not run, so it moves nothing.
      steps: parsedDefinition(row.definition)?.steps ?? [],
    });
  }
  return joined;
}

/**
 * Whether a person could activate the version that a key has just written, and what blocks it, from the checks of the
 * activation itself. Names rules and accounts only to a key that may read them.
 * @param ask that of `withProbes`
 */
export async function readActivationAnswer(
  database: Queryable,
  context: Context<CallerActor>,
  rule: Rule,
  ask: AskProbe,
): Promise<RuleActivation> {
  const { id, version, activeVersion } = rule;
  const of = { ruleId: id, version, activeVersion, definition: rule };
  const { accounts, checks } = await readActivation(database, context, of, { ask });
  const names =
    permissionOf(context.actor, "READ_ACCOUNTS") === null ? namedById(rule) : namesOf({ accounts });
  const problems = checks
    .filter(({ outcome }) => outcome === "BLOCKS")
    .map((check) => {
      const { title, text } = checkWords(withReadableRules(check, context.actor, id), names);
      return { code: check.kind, message: [title, text].filter((part) => part !== null).join(". ") };
    });
  return { canActivate: problems.length === 0, problems };
}

function namedById(rule: Rule) {
  return Object.fromEntries(
    accountsOf(rule).map((id) => [
      id,
      { name: `account ${id}`, kind: "EXTERNAL_ACCOUNT" as const, isClosed: false },
    ]),
  );
}

/** A rule's name can be confidential: a key that may not read the rule only learns that it exists. */
function withReadableRules(check: ActivationCheck, actor: CallerActor, ownId: string): ActivationCheck {
  const readable = permissionOf(actor, "READ_RULES")?.rules ?? [];
  const named = <Named extends { id: string; name: string }>(rule: Named): Named =>
    rule.id === ownId || covers(readable, rule.id) ? rule : { ...rule, name: "another rule" };
  if (check.kind === "ONLY_ARRIVAL_RULE") return { ...check, rival: check.rival && named(check.rival) };
  if (check.kind === "NO_CYCLE") return { ...check, chain: check.chain.map(named) };
  return check;
}

interface Shown {
  ruleId: string;
  version: number;
  activeVersion: number | null;
  definition: RuleDefinition;
}

/** One sentence for each possible change, in the order of the outcomes in a digest. */
const CHANGE = {
  SHARES: "The total of its shares changed.",
  ACCOUNTS_OPEN: "One of its accounts was closed or reopened.",
  CAN_GIVE: "The accounts that it can take money from changed.",
  CAN_RECEIVE: "The accounts that it can send money to changed.",
  BOTH_OUTSIDE: "Which of its accounts are outside Sluice changed.",
  DEBTS: "Which of its accounts are debts changed.",
  TOP_UP_DEBT: "Which of its accounts are debts changed.",
  OVERPAYS: "Which of its accounts are debts changed.",
  SCHEDULE: "Its schedule has ended.",
  ONLY_ARRIVAL_RULE: "Another rule on arrivals at the same account was activated or deactivated.",
  NO_CYCLE: "Whether its money returns to it through other rules changed.",
  SETS_OFF: "The rules that it triggers changed.",
  SET_OFF_BY: "The rules that trigger it changed.",
  SUFFICES: "Whether there is enough money for it changed.",
  MOVES: "Which of its actions can move money changed.",
  FREQUENT: "How often it runs changed.",
  REACHABLE: "Which of its steps can run changed.",
  SENDS_OUT: "What it sends outside changed.",
  PULLS_IN: "What it takes from outside changed.",
  FLOORS: "The floor of an account that it takes from was set or removed.",
  LOOK_ALIKE: "Whether another name looks like one of its names changed.",
} as const satisfies Record<ActivationCheck["kind"], string>;

const LETTERS = { BLOCKS: "b", LOOK: "l", CLEAR: "c" } as const satisfies Record<ActivationOutcome, string>;

/**
 * Identifies what a person saw of a version before activating it: the definition, the names of its accounts, the version
 * that it replaces, and the result of every check. Balances and the next scheduled time are left out, because they may
 * change without changing a result.
 *
 * `<SHA-256>.<active version>.<outcomes>`: compared as a whole; the last two parts only serve to tell a person what
 * changed. Short enough to bind a challenge to it.
 */
function activationDigest(
  shown: Shown,
  accounts: Readonly<Record<string, AccountFacts>>,
  checks: readonly ActivationCheck[],
): string {
  const names = Object.entries(accounts)
    .map(([id, { name }]) => [id, name])
    .sort();
  const found = checks.map((check) => (check.kind === "SCHEDULE" ? { ...check, nextRunAt: null } : check));
  const { ruleId, version, activeVersion, definition } = shown;
  const seen = JSON.stringify({ ruleId, version, activeVersion, definition, names, found });
  const hash = createHash("sha256").update(seen).digest("base64url");
  return `${hash}.${activeVersion ?? 0}.${outcomesOf(checks)}`;
}

function outcomesOf(checks: readonly ActivationCheck[]): string {
  const outcomes = new Map(checks.map((check) => [check.kind as string, LETTERS[check.outcome]]));
  return Object.keys(CHANGE)
    .map((kind) => outcomes.get(kind) ?? "-")
    .join("");
}

/** One sentence for each difference from the digest, which comes from the browser and is untrusted; never empty. */
export function describeActivationChanges(seenDigest: string, currentDigest: string): string[] {
  const [, seenActive, seenOutcomes = ""] = seenDigest.split(".");
  const [, active, outcomes = ""] = currentDigest.split(".");
  const changes: string[] = [];
  if (seenActive !== active) {
    changes.push(active === "0" ? "No version is active anymore." : `Version ${active} is active now.`);
  }
  for (const [index, sentence] of Object.values(CHANGE).entries()) {
    if (seenOutcomes[index] !== outcomes[index] && !changes.includes(sentence)) changes.push(sentence);
  }
  return changes.length > 0 ? changes : ["A related account or rule changed after this page was loaded."];
}

/** A few megabytes at most. */
const MAXIMUM_KEPT = 2_000;
const kept = new Map<string, RuleDefinition | null>();

/**
 * A stored definition; null for one that this version of Sluice cannot represent. Cached by its text, because pages read
 * hundreds of rules at a time. Callers must not modify the result.
 * @param text JSON
 */
export function parsedDefinition(text: string): RuleDefinition | null {
  const known = kept.get(text);
  if (known !== undefined) return known;
  const definition = storedRuleDefinitionSchema.safeParse(JSON.parse(text)).data ?? null;
  const [oldest] = kept.keys();
  if (oldest !== undefined && kept.size >= MAXIMUM_KEPT) kept.delete(oldest);
  kept.set(text, definition);
  return definition;
}

/** A rule's next scheduled time after `now`; null without a schedule, or if it has ended. */
function nextRun(rule: Pick<RuleDefinition, "trigger">, now: Date): Date | null {
  return nextRuns(rule, now, 1)[0] ?? null;
}

export function nextRuns({ trigger }: Pick<RuleDefinition, "trigger">, now: Date, count: number): Date[] {
  return trigger.type === "SCHEDULED" ? upcoming(trigger.schedule, now, count) : [];
}
