import { keyAlertSchema, movesAlone } from "@/lib/contract/api-key";
import type { KeyFactsView } from "@/lib/contract/keys/key-facts";
import { REQUESTS_PER_MINUTE } from "@/lib/contract/limits";
import type { PermissionOf } from "@/lib/contract/permissions";
import { keyHref, readKeyFacts } from "@/lib/core/keys/key-facts";
import { nameOnly, readKeyAccounts } from "@/lib/core/keys/read-key-accounts";
import { type LiveRule, readKeyRules, readLiveRules } from "@/lib/core/keys/read-key-rules";
import { readAccountFacts, readLimitsUsed } from "@/lib/core/rules/read-rule-facts";
import type { Context } from "@/lib/core/shared/context";
import { readLookAlikeCallers } from "@/lib/core/shared/look-alikes";
import { covers, mayDecide } from "@/lib/core/shared/permits";
import { hasPasskey } from "@/lib/core/sign-in/second-factors";
import type { Queryable } from "@/lib/db/transaction";
import { accountsOf } from "@/lib/engine/accounts-of";
import { evaluate } from "@/lib/engine/evaluate";
import { withBase } from "@/lib/engine/run-facts";
import { calendarDate } from "@/lib/engine/schedule/calendar-day";
import { countThisMinute, readKeyUsed } from "@/lib/views/keys/key-use";
import { mostThatCouldMove } from "@/lib/views/keys/most-that-could-move";
import { readActivity } from "@/lib/views/keys/read-activity";
import { readKeyProposals } from "@/lib/views/keys/read-key-proposals";
import {
  listKeyMandates,
  listMandatesToRenew,
  mayHaveMandates,
} from "@/lib/views/mandates/list-key-mandates";
import { listWaitingChangesOf } from "@/lib/views/policies/list-waiting-changes-of";
import type { TimedReading } from "@/lib/views/reading";

/** A key that may run more rules gets no estimate per rule. */
const WORKED_OUT = 12;

const LISTED = 8;

/** Everything that a key's page shows; null if the organization has none with this ID. Any member may read it. */
export async function getKey({ services, context, time }: TimedReading<"pool" | "clock">, keyId: string) {
  const { pool } = services;
  const { organizationId, now } = context;
  const [facts] = await readKeyFacts(pool, organizationId, now, { keyId });
  if (!facts) return null;
  const { replacedById, ...key } = facts;
  const [
    accounts,
    rules,
    live,
    proposals,
    activity,
    neighbors,
    requestsThisMinute,
    memberHasPasskey,
    cap,
    alerts,
    lookAlikes,
    waitingChanges,
  ] = await Promise.all([
    readKeyAccounts(pool, organizationId),
    readKeyRules(pool, organizationId),
    readLiveRules(pool, organizationId),
    readKeyProposals(pool, organizationId, keyId, now),
    readActivity(pool, organizationId, keyId, { now, timeZone: time.timeZone }),
    readNeighbors(pool, organizationId, keyId, replacedById),
    countThisMinute(pool, keyId, services.clock.now()),
    hasPasskey(pool, context.actor.id),
    readKeyCap(pool, context, key),
    readKeyAlerts(pool, organizationId, keyId),
    readLookAlikeCallers(pool, organizationId),
    listWaitingChangesOf({ services, context }, ["KEY_CAP", "REPLACED_KEY"], keyId),
  ]);
  const transfers = key.permissions.find((permission) => permission.type === "MANUAL_TRANSFER") ?? null;
  const runs = key.permissions.find((permission) => permission.type === "TRIGGER_RULES") ?? null;
  const oneRunInCents = await readOneRuns(pool, context, time.timeZone, runs, live);
  const { byItself, open, ...mandates } = await listKeyMandates(pool, context, keyId, accounts);
  const { replaces, replacedBy } = neighbors;
  const mayHave = mayHaveMandates(key);
  return {
    key,
    /** What it may do by itself. */
    mandates: {
      ...mandates,
      mayHave,
      toRenew:
        replaces && mayHave
          ? await listMandatesToRenew(pool, context, { keyId, oldKeyId: replaces.id, has: open })
          : [],
    },
    lookAlike: lookAlikes.get(keyId) ?? null,
    accounts: accounts.map(nameOnly),
    rules,
    /** Null if it moves nothing itself. */
    most:
      transfers || runs
        ? mostThatCouldMove(transfers, accounts, { runs, live, oneRunInCents }, byItself)
        : null,
    ...proposals,
    /** Of its cap and its secret, those that wait for signatures. */
    waitingChanges: {
      cap: waitingChanges.filter(({ what }) => what === "KEY_CAP"),
      secret: waitingChanges.filter(({ what }) => what === "REPLACED_KEY"),
    },
    activity,
    requestsThisMinute,
    requestsPerMinute: REQUESTS_PER_MINUTE,
    cap,
    /** Unusual use reported to its owners, newest first. */
    alerts,
    replacedBy,
    replaces,
    viewer: { canDecide: mayDecide(context.actor), hasPasskey: memberHasPasskey },
    time,
  };
}

/** The page of one key. */
export type KeyView = NonNullable<Awaited<ReturnType<typeof getKey>>>;

/** The key that replaced it, and the one it replaced. */
async function readNeighbors(
  database: Queryable,
  organizationId: string,
  keyId: string,
  replacedById: string | null,
) {
  const { rows } = await database.query<{ id: string; prefix: string }>({
    name: "read_key_neighbors",
    text: `select id, prefix from api_keys where organization_id = $1 and client_id is null and (id = $3 or replaced_by = $2) limit 2`,
    values: [organizationId, keyId, replacedById],
  });
  const neighbor = (isWanted: (id: string) => boolean) => {
    const row = rows.find(({ id }) => isWanted(id));
    return row ? { id: row.id, href: keyHref(row.id), prefix: row.prefix } : null;
  };
  return {
    replacedBy: neighbor((id) => id === replacedById),
    replaces: neighbor((id) => id !== replacedById),
  };
}

interface AlertRow {
  id: string;
  kind: string;
  facts: object;
  noticedAt: Date;
}

/** Unusual use of a key that its owners were notified of, newest first. */
async function readKeyAlerts(database: Queryable, organizationId: string, keyId: string) {
  const { rows } = await database.query<AlertRow>({
    name: "read_key_alerts",
    text: `
      select id, kind, facts, noticed_at as "noticedAt" from key_alerts
       where organization_id = $1 and api_key_id = $2 order by id desc limit ${LISTED}`,
    values: [organizationId, keyId],
  });
  return rows.map(({ id, kind, facts, noticedAt }) => ({
    id,
    at: noticedAt.toISOString(),
    alert: keyAlertSchema.parse({ ...facts, kind }),
  }));
}

export type KeyAlertView = Awaited<ReturnType<typeof readKeyAlerts>>[number];

/**
 * A key's cap and how much of it is used in the last 24 hours.
 * @param now business time
 */
async function readKeyCap(
  database: Queryable,
  context: { organizationId: string; now: Date },
  key: Pick<KeyFactsView, "id" | "permissions" | "dailyCapInCents">,
) {
  return {
    /** Whether anything it starts runs without approval; otherwise a cap has nothing to limit. */
    isOf: movesAlone(key.permissions) ? ("WHAT_IT_MOVES" as const) : ("NOTHING" as const),
    /** Null: no cap. */
    capInCents: key.dailyCapInCents,
    /** In the last 24 hours, since the cap was set. */
    usedInCents: await readKeyUsed(database, context, key.id),
  };
}

/**
 * What one run of each rule that a key may run would move given current balances, without an amount of its own, in
 * cents by rule ID; null if a value is unknown.
 */
async function readOneRuns(
  database: Queryable,
  { organizationId, now }: Pick<Context, "organizationId" | "now">,
  timeZone: string,
  runs: PermissionOf<"TRIGGER_RULES"> | null,
  live: readonly LiveRule[],
): Promise<Record<string, number | null>> {
  const rules = runs ? live.filter((rule) => covers(runs.rules, rule.id)).slice(0, WORKED_OUT) : [];
  if (!runs || rules.length === 0) return {};
  const accountIds = [...new Set(rules.flatMap(({ definition }) => accountsOf(definition)))];
  const accounts = await readAccountFacts(database, { organizationId }, accountIds);
  const results = await Promise.all(
    rules.map(async ({ id, definition }) => {
      const limitsUsedInCents = await readLimitsUsed(
        database,
        { organizationId, now, timeZone },
        { ruleId: id, definition },
      );
      const facts = {
        at: now.toISOString(),
        date: calendarDate(now, timeZone),
        incomingAmountInCents: null,
        isApprovedByPerson: runs.approval.required,
        accounts,
        limitsUsedInCents,
      };
      const base = { mode: "LIVE", incomingAmountInCents: null } as const;
      const evaluation = evaluate(definition, withBase(facts, definition.trigger.accountId, base));
      if (evaluation.kind === "UNKNOWN") return [id, null] as const;
      const moves = evaluation.plan.moves.filter((move) => move.outcome === "MOVE");
      return [id, moves.reduce((sum, move) => sum + move.amountInCents, 0)] as const;
    }),
  );
  return Object.fromEntries(results);
}
