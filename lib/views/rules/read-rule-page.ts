import type { ActivationCheck } from "@/lib/contract/rules/activation-check";
import type { RuleFacts } from "@/lib/contract/rules/facts";
import { type RuleDefinition, storedRuleDefinitionSchema } from "@/lib/contract/rules/rule";
import type { AccountNames } from "@/lib/contract/rules/rule-parts";
import type { TimeContext } from "@/lib/contract/time-context";
import { readChangeSigning } from "@/lib/core/policies/sign-change";
import { nextRuns, readActivation } from "@/lib/core/rules/activation";
import { namesOf } from "@/lib/core/rules/read-account-names";
import { readAccountFacts, readRuleFacts } from "@/lib/core/rules/read-rule-facts";
import { readVersionChange } from "@/lib/core/rules/version-change";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { mayDecide } from "@/lib/core/shared/permits";
import { freshSignInUntil } from "@/lib/core/sign-in/confirmation";
import { hasPasskey } from "@/lib/core/sign-in/second-factors";
import type { Queryable } from "@/lib/db/transaction";
import { accountsOf } from "@/lib/engine/accounts-of";
import { firstIdAt } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";
import { type ChangeSigningView, describeChangeSigning } from "@/lib/views/approvals/describe-signing";
import type { TimedReading } from "@/lib/views/reading";
import { type EndingRunsView, listEndingRuns } from "@/lib/views/rules/list-ending-runs";
import { listProposedStops, type ProposedStopView } from "@/lib/views/rules/list-proposed-stops";
import { listRuleEvents, type RuleEventView } from "@/lib/views/rules/list-rule-events";
import { listVersions, type RuleVersionView } from "@/lib/views/rules/list-versions";
import { type RunRowView, readRuns } from "@/lib/views/rules/read-runs";

interface RuleFrame {
  id: string;
  name: string;
  viewer: { canDecide: boolean };
  /** Whether this member confirms with a passkey. */
  hasPasskey: boolean;
  /** Until then their recent sign-in confirms, in business time; null: it does not. */
  freshUntil: string | null;
  time: TimeContext;
}

/** A rule in one of its versions. */
export interface RuleView extends RuleFrame {
  kind: "READABLE";
  definition: RuleDefinition;
  shown: RuleVersionView;
  latestVersion: number;
  activeVersion: number | null;
  /** When a return paused it; null while it is not paused. */
  pausedAt: string | null;
  names: AccountNames;
  /** Current balance without incoming funds: the base of a dry run. */
  facts: RuleFacts;
  /** The active version, if another one is shown and it can be read. */
  comparedWith: { version: number; definition: RuleDefinition } | null;
  checks: ActivationCheck[];
  /** Digest of what is shown, for its activation. */
  digest: string;
  /** Where the policy asks for more than one person to activate the shown version; null: one does, or it cannot be. */
  signing: ChangeSigningView | null;
  /** The median of arrivals at the trigger's account in the last 90 days; null without any. */
  typicalInCents: number | null;
  /** Newest first. */
  versions: RuleVersionView[];
  /** The latest, newest first. */
  runs: RunRowView[];
  skipped: SkippedTimeView[];
  /** For a schedule: its next times, if this version is active, or was activated now. */
  nextRuns: string[];
  /** Ended by activating the shown version, or, if that is the active one, by deactivating it. */
  endingRuns: EndingRunsView;
  events: RuleEventView[];
  /** The first to expire first. */
  proposedStops: ProposedStopView[];
}

/** A rule whose version this version of Sluice cannot represent, or that was deleted. */
export interface UnreadableRuleView extends RuleFrame {
  kind: "UNREADABLE" | "DELETED";
  activeVersion: number | null;
  latestVersion: number;
  shownVersion: number;
  /** For a deleted one. */
  deletedAt: string | null;
  versions: RuleVersionView[];
}

export type RulePageView = RuleView | UnreadableRuleView;

const DAYS = 90;

const DAY_MS = 86_400_000;

/** Enough for a median; a busy account's deposits are not all read for it. */
const MAXIMUM_ARRIVALS = 200;

const MAXIMUM_LISTED = 200;

/** Upcoming scheduled times shown. */
const NEXT_RUNS = 3;
/** Latest runs shown. */
const RECENT_RUNS = 10;
const LATEST_RUNS = { page: 1, mode: null, status: null } as const;
/** Missed scheduled times shown. */
const SKIPPED_TIMES = 5;

interface Row {
  version: number;
  definition: unknown;
  storedName: string;
  latestVersion: number;
  activeVersion: number | null;
  activeDefinition: unknown;
  pausedAt: Date | null;
  deletedAt: Date | null;
}

/**
 * Everything that a rule's page shows.
 * @param of its version; null: the latest
 * @returns null if the organization has no such rule, or the rule no such version
 */
export async function readRulePage(
  { services, context, time }: TimedReading<"pool" | "clock">,
  of: { ruleId: string; version: number | null },
): Promise<RulePageView | null> {
  const row = await readRow(services, context, of);
  if (!row) return null;
  const { organizationId } = context;
  const [versions, isPasskeyHolder] = await Promise.all([
    listVersions(services.pool, organizationId, { ruleId: of.ruleId, shownVersion: row.version }),
    hasPasskey(services.pool, context.actor.id),
  ]);
  const frame = {
    id: of.ruleId,
    name: row.storedName,
    latestVersion: row.latestVersion,
    activeVersion: row.activeVersion,
    versions,
    hasPasskey: isPasskeyHolder,
    freshUntil: freshSignInUntil(services, context, isPasskeyHolder),
    viewer: { canDecide: mayDecide(context.actor) },
    time,
  };
  const definition = storedRuleDefinitionSchema.safeParse(row.definition).data;
  const shown = versions.find((version) => version.number === row.version);
  if (row.deletedAt || !definition || !shown) return unreadable(row, frame);
  return { ...frame, ...(await readShown(services, context, { ...of, row, definition, shown }, time)) };
}

type Frame = Omit<UnreadableRuleView, "kind" | "shownVersion" | "deletedAt">;

function unreadable(row: Row, frame: Frame): UnreadableRuleView {
  return {
    ...frame,
    kind: row.deletedAt ? ("DELETED" as const) : ("UNREADABLE" as const),
    shownVersion: row.version,
    deletedAt: row.deletedAt?.toISOString() ?? null,
  };
}

async function readRow(
  services: Pick<Services, "pool">,
  context: Context,
  of: { ruleId: string; version: number | null },
): Promise<Row | undefined> {
  const { rows } = await services.pool.query<Row>({
    name: "read_rule_page",
    text: `
      select v.version, v.definition, r.name as "storedName", r.latest_version as "latestVersion",
          r.active_version as "activeVersion", r.paused_at as "pausedAt",
          r.deleted_at as "deletedAt",
          (select a.definition from rule_versions a where a.organization_id = r.organization_id and a.rule_id = r.id
            and a.version = r.active_version) as "activeDefinition"
        from rules r join rule_versions v on v.organization_id = r.organization_id and v.rule_id = r.id
          and v.version = coalesce($3, r.latest_version)
       where r.organization_id = $1 and r.id = $2`,
    values: [context.organizationId, of.ruleId, of.version],
  });
  return rows[0];
}

interface ShownVersion {
  ruleId: string;
  row: Row;
  definition: RuleDefinition;
  shown: RuleVersionView;
}

async function readShown(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  { ruleId, row, definition, shown }: ShownVersion,
  time: TimeContext,
) {
  const { organizationId, now } = context;
  const { pool } = services;
  const where = { organizationId, now, timeZone: time.timeZone };
  const comparedWith = readComparedWith(row);
  const of = { ruleId, version: row.version, activeVersion: row.activeVersion, definition };
  const readingFacts = readRuleFacts(pool, where, { ruleId, definition }, false);
  const [
    activation,
    facts,
    comparedAccounts,
    typicalInCents,
    runs,
    skipped,
    events,
    endingRuns,
    proposedStops,
    signing,
  ] = await Promise.all([
    readActivation(pool, where, of, { read: readingFacts.then(({ accounts }) => accounts) }),
    readingFacts,
    comparedWith ? readAccountFacts(pool, where, accountsOf(comparedWith.definition)) : {},
    readTypicalArrival(pool, where, definition.trigger.accountId),
    readRuns({ services, context, time }, ruleId, LATEST_RUNS),
    listSkippedTimes(pool, { organizationId, ruleId }, SKIPPED_TIMES),
    listRuleEvents(pool, organizationId, ruleId),
    listEndingRuns(pool, where, {
      ruleId,
      keptVersion: row.version === row.activeVersion ? null : row.version,
    }),
    listProposedStops(pool, where, ruleId),
    shown.state === "ACTIVE" || shown.state === "DISCARDED"
      ? null
      : readVersionChange(pool, where, of).then((change) => readChangeSigning(pool, where, change)),
  ]);
  return {
    kind: "READABLE" as const,
    definition,
    shown,
    pausedAt: row.pausedAt?.toISOString() ?? null,
    names: namesOf({ accounts: { ...comparedAccounts, ...facts.accounts } }),
    facts,
    comparedWith,
    checks: activation.checks,
    digest: activation.digest,
    typicalInCents,
    runs: runs?.rows.slice(0, RECENT_RUNS) ?? [],
    skipped,
    nextRuns: nextRuns(definition, now, NEXT_RUNS).map((at) => at.toISOString()),
    endingRuns,
    events,
    proposedStops,
    signing: describeChangeSigning(signing, context.actor.id),
  };
}

/** The active version, unless it is the shown one. */
function readComparedWith(row: Row) {
  if (row.activeVersion === null || row.activeVersion === row.version) return null;
  const definition = storedRuleDefinitionSchema.safeParse(row.activeDefinition).data;
  return definition ? { version: row.activeVersion, definition } : null;
}

/** The scheduled times of a rule without a run, latest first. @param limit at most 200 */
export async function listSkippedTimes(
  database: Queryable,
  { organizationId, ruleId }: { organizationId: string; ruleId: string },
  limit: number,
) {
  const { rows } = await database.query<{
    scheduledFor: Date;
    reason: "DOWNTIME" | "PAUSED" | "GATES_CLOSED";
    times: number;
    recordedAt: Date;
  }>({
    name: "list_skipped_times",
    text: `
      select scheduled_for as "scheduledFor", reason, times, recorded_at as "recordedAt" from rule_skipped_times
       where organization_id = $1 and rule_id = $2 order by scheduled_for desc limit $3`,
    values: [organizationId, ruleId, Math.min(limit, MAXIMUM_LISTED)],
  });
  return rows.map((row) => ({
    scheduledFor: row.scheduledFor.toISOString(),
    /** `DOWNTIME`: only a later one ran. `PAUSED`: a return had paused the rule. */
    reason: row.reason,
    /** More than 1: that many times, the latest at `scheduledFor`. */
    times: row.times,
    recordedAt: row.recordedAt.toISOString(),
  }));
}

/** A scheduled time without a run. */
type SkippedTimeView = Awaited<ReturnType<typeof listSkippedTimes>>[number];

/**
 * The median of an account's deposits in the last 90 days, from its latest 200; null if there were none.
 * @param now business time
 */
async function readTypicalArrival(
  database: Queryable,
  { organizationId, now }: { organizationId: string; now: Date },
  accountId: string,
): Promise<number | null> {
  const since = new Date(now.getTime() - DAYS * DAY_MS);
  const { rows } = await database.query<{ typicalInCents: number | null }>({
    name: "read_typical_arrival",
    text: `
      select percentile_disc(0.5) within group (order by amount_in_cents) as "typicalInCents" from (
        (select t.amount_in_cents from transfers t
          where t.organization_id = $1 and t.destination_account_id = $2 and t.execution_mode = 'LIVE'
            and t.id >= $3 and t.status = 'COMPLETE'
          order by t.id desc limit $5)
        union all
        (select x.amount_in_cents from external_transactions x
          where x.organization_id = $1 and x.account_id = $2 and x.vanished_at is null
            and x.transaction_date >= $4 and x.direction = 'MONEY_IN' and x.status = 'COMPLETE'
            and x.transfer_id is null
          order by x.transaction_date desc, x.id desc limit $5)) arrivals`,
    values: [organizationId, accountId, firstIdAt(since), since, MAXIMUM_ARRIVALS],
  });
  return rows[0]?.typicalInCents ?? null;
}
