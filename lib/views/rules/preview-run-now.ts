import { pausedHref, ruleHref } from "@/lib/contract/hrefs";
import { storedRuleDefinitionSchema } from "@/lib/contract/rules/rule";
import { readAccountNames } from "@/lib/core/rules/read-account-names";
import { readRuleFacts } from "@/lib/core/rules/read-rule-facts";
import { mayDecide } from "@/lib/core/shared/permits";
import { freshSignInUntil } from "@/lib/core/sign-in/confirmation";
import { hasPasskey } from "@/lib/core/sign-in/second-factors";
import { accountsOf } from "@/lib/engine/accounts-of";
import { evaluate } from "@/lib/engine/evaluate";
import { withBase } from "@/lib/engine/run-facts";
import { newId } from "@/lib/platform/ids";
import type { TimedReading } from "@/lib/views/reading";

interface Row {
  name: string;
  activeVersion: number | null;
  isPaused: boolean;
  version: number;
  definition: unknown;
}

/**
 * What a manual run of a rule would do now; null if the organization has no such rule, it is deleted, or this version
 * of Sluice cannot represent it.
 */
export async function previewRunNow(
  { services, context, time }: TimedReading<"pool" | "clock">,
  input: { ruleId: string; incomingAmountInCents: number | null },
) {
  const { pool } = services;
  const { organizationId, now } = context;
  const { ruleId, incomingAmountInCents } = input;
  const { rows } = await pool.query<Row>({
    name: "read_rule_to_run",
    text: `
      select r.name, r.active_version as "activeVersion", r.paused_at is not null as "isPaused", v.version, v.definition
        from rules r
        join rule_versions v on v.organization_id = $1 and v.rule_id = r.id
          and v.version = coalesce(r.active_version, r.latest_version)
       where r.organization_id = $1 and r.id = $2 and r.deleted_at is null`,
    values: [organizationId, ruleId],
  });
  const row = rows[0];
  if (!row) return null;
  const parsed = storedRuleDefinitionSchema.safeParse(row.definition);
  if (!parsed.success) return null;
  const definition = parsed.data;
  const where = { organizationId, now, timeZone: time.timeZone };
  const [isPasskeyHolder, read, accounts] = await Promise.all([
    hasPasskey(pool, context.actor.id),
    readRuleFacts(pool, where, { ruleId, definition }, false),
    readAccountNames(pool, organizationId, accountsOf(definition)),
  ]);
  const facts = withBase(read, definition.trigger.accountId, { mode: "LIVE", incomingAmountInCents });
  const evaluation = evaluate(definition, facts);
  return {
    rule: { id: ruleId, name: row.name, href: ruleHref(ruleId) },
    /** `ACTIVE`: it can be run. */
    state:
      row.activeVersion === null
        ? ("INACTIVE" as const)
        : row.isPaused
          ? ("PAUSED" as const)
          : ("ACTIVE" as const),
    pausedHref: pausedHref(ruleId),
    /** The active version, else the latest. */
    version: row.version,
    definition,
    forecast: evaluation.kind === "PLANNED" ? { ...evaluation, facts } : evaluation,
    /** The incoming amount entered by the member; null: the account's available balance. */
    incomingAmountInCents,
    accounts,
    /** Identifies this request: pressed twice, it runs once. */
    requestId: newId(now),
    viewer: {
      canDecide: mayDecide(context.actor),
      hasPasskey: isPasskeyHolder,
      freshUntil: freshSignInUntil(services, context, isPasskeyHolder),
    },
    time,
  };
}

/** The page on which a member runs a rule by hand. */
export type RunNowView = NonNullable<Awaited<ReturnType<typeof previewRunNow>>>;
