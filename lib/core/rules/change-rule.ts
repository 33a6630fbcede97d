import type { PoolClient } from "pg";
import type {
  ConfirmationRequest,
  RuleActInput,
  RuleActSubject,
  RuleChangeResult,
  RuleVersionInput,
} from "@/lib/contract/confirmation/decision";
import { AppError } from "@/lib/contract/error";
import { type AskProbe, withProbes } from "@/lib/core/rules/probe-subject";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { mayDecide } from "@/lib/core/shared/permits";
import { requireDecider } from "@/lib/core/shared/roles";
import { type ChallengeScope, memberScope } from "@/lib/core/sign-in/challenge";
import {
  beginConfirmationOf,
  type ConfirmationMethod,
  spendConfirmation,
  verifyConfirmationOf,
} from "@/lib/core/sign-in/confirmation";
import { NotConfirmed } from "@/lib/core/sign-in/not-confirmed";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";

/** Binds a challenge to one act, rule, version and what was shown. */
function ruleScope(
  actor: Pick<MemberActor, "id" | "sessionId">,
  { act, ruleId, version, digest }: RuleActSubject,
): ChallengeScope {
  return memberScope("DECIDE", actor, `rule ${act} ${ruleId} ${version} ${digest}`);
}

/** How this member must confirm this act, with the challenge for it. Does not check whether they may. */
export function beginRuleAct(
  services: Pick<Services, "pool" | "clock" | "appUrl">,
  actor: MemberActor,
  subject: RuleActSubject,
): Promise<ConfirmationRequest> {
  return beginConfirmationOf(services, actor, ruleScope(actor, subject));
}

/** The event of an act, for the database functions of rules. */
export interface RuleEvent {
  organizationId: string;
  ruleId: string;
  version: number;
  userId: string;
  method: ConfirmationMethod | null;
  digest: string | null;
  eventId: string;
  now: Date;
}

function ruleEvent(
  context: Context<MemberActor>,
  of: { ruleId: string; version: number; digest?: string },
  method: ConfirmationMethod | null,
): RuleEvent {
  const { organizationId, actor, now } = context;
  const { ruleId, version, digest } = of;
  return {
    organizationId,
    ruleId,
    version,
    userId: actor.id,
    method,
    digest: digest || null,
    eventId: newId(now),
    now,
  };
}

/**
 * Runs one act on a rule. The confirmation is verified before the transaction, because hashing is slow and failed attempts
 * must be counted despite a rollback. It is consumed inside, so not if `work` throws.
 * @param work runs with the rule locked; throws RuleNotChanged if there is nothing left to do. Asks for probes as
 *   `withProbes` says
 */
export async function confirmedRuleChange(
  services: Pick<Services, "pool" | "clock" | "appUrl" | "log" | "authenticatorSecrets">,
  context: Context<MemberActor>,
  input: RuleActInput,
  work: (
    client: PoolClient,
    rule: LockedRule,
    event: RuleEvent & { method: ConfirmationMethod },
    ask: AskProbe,
  ) => Promise<{ kind: "DONE" | "SIGNED" }>,
): Promise<RuleChangeResult> {
  if (!mayDecide(context.actor)) return MAY_NOT;
  try {
    const scope = ruleScope(context.actor, input);
    const verified = await verifyConfirmationOf(services, context.actor, scope, input.confirmation);
    return await withProbes((ask) =>
      inTransaction(services.pool, async (client) => {
        const { method } = await spendConfirmation(client, verified);
        const rule = await lockRule(client, context, input.ruleId);
        return work(client, rule, { ...ruleEvent(context, input, method), method }, ask);
      }),
    );
  } catch (error) {
    if (error instanceof NotConfirmed) return { kind: "NOT_CONFIRMED", message: error.message };
    if (error instanceof RuleNotChanged) return error.result;
    throw error;
  }
}

const MAY_NOT: RuleNotChanged["result"] = {
  kind: "REFUSED",
  message: "Only an owner or co-owner may change what rules do. Nothing was changed.",
};

/**
 * Stops a rule: no version runs live anymore. Runs in progress complete their plan; waiting ones end. Without a
 * confirmation, like closing all gates: it must be quick, and it moves nothing.
 * @param input with the active version as it was shown
 */
export function deactivateRule(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  input: RuleVersionInput,
): Promise<RuleChangeResult> {
  return plainRuleChange(services, context, input.ruleId, async (client, rule) => {
    if (rule.activeVersion !== input.version) {
      const now = rule.activeVersion === null ? "No version is" : `Version ${rule.activeVersion} is`;
      throw new RuleNotChanged({ kind: "CHANGED", changes: [`${now} active now.`] });
    }
    await client.query("select deactivate_rule($1)", [JSON.stringify(ruleEvent(context, input, null))]);
    return { kind: "DONE" };
  });
}

/**
 * Resumes a rule that a returned transfer paused. Runs missed during the pause are not repeated.
 * @param input with the active version as it was shown
 */
export function resumeRule(
  services: Pick<Services, "pool" | "clock" | "appUrl" | "log" | "authenticatorSecrets">,
  context: Context<MemberActor>,
  input: RuleActInput & { act: "RESUME" },
): Promise<RuleChangeResult> {
  return confirmedRuleChange(services, context, input, async (client, rule, event) => {
    if (rule.activeVersion !== input.version || !rule.isPaused) {
      const now = rule.activeVersion === null ? "No version is active now." : "It is no longer paused.";
      const changes = [
        rule.activeVersion !== null && rule.activeVersion !== input.version
          ? `Version ${rule.activeVersion} is active now.`
          : now,
      ];
      throw new RuleNotChanged({ kind: "CHANGED", changes });
    }
    await client.query("select resume_rule($1)", [JSON.stringify(event)]);
    return { kind: "DONE" };
  });
}

/** Deletes a rule without an active version. Its versions and runs stay readable. */
export function deleteRule(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  ruleId: string,
): Promise<RuleChangeResult> {
  return plainRuleChange(services, context, ruleId, async (client, { activeVersion, latestVersion }) => {
    if (activeVersion !== null) {
      throw new RuleNotChanged({
        kind: "CHANGED",
        changes: [`Version ${activeVersion} is active. Deactivate it first.`],
      });
    }
    const event = ruleEvent(context, { ruleId, version: latestVersion }, null);
    await client.query("select delete_rule($1)", [JSON.stringify(event)]);
    return { kind: "DONE" };
  });
}

type Outcome = "DISCARDED" | "DELETED" | "NOT_LATEST" | "IS_ACTIVE" | "MISSING";

/**
 * Discards the latest version if it is not active; the highest remaining one is then the latest. No confirmation, because
 * this neither moves nor stops anything.
 * @returns `DELETED` if no version was left, which deletes the rule.
 */
export function discardVersion(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  { ruleId, version }: RuleVersionInput,
): Promise<RuleChangeResult | { kind: "DELETED" }> {
  return plainRuleChange(services, context, ruleId, async (client) => {
    const event = ruleEvent(context, { ruleId, version }, null);
    const { rows } = await client.query<{ outcome: Outcome }>("select discard_rule_version($1) as outcome", [
      JSON.stringify({ ...event, deletionEventId: newId(context.now) }),
    ]);
    return toResult(rows[0]?.outcome ?? "MISSING", version);
  });
}

/** Runs a change that moves no money, and so needs no confirmation. `work` runs with the rule locked. */
async function plainRuleChange<Result>(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  ruleId: string,
  work: (client: Queryable, rule: LockedRule) => Promise<Result>,
): Promise<Result | RuleNotChanged["result"]> {
  if (!mayDecide(context.actor)) return MAY_NOT;
  try {
    return await inTransaction(services.pool, async (client) =>
      work(client, await lockRule(client, context, ruleId)),
    );
  } catch (error) {
    if (error instanceof RuleNotChanged) return error.result;
    throw error;
  }
}

function toResult(outcome: Outcome, version: number): RuleChangeResult | { kind: "DELETED" } {
  switch (outcome) {
    case "DISCARDED":
      return { kind: "DONE" };
    case "DELETED":
      return { kind: "DELETED" };
    case "NOT_LATEST":
      return { kind: "CHANGED", changes: [`Version ${version} is no longer the latest.`] };
    case "IS_ACTIVE":
      return { kind: "CHANGED", changes: [`Version ${version} is active now.`] };
    case "MISSING":
      return { kind: "CHANGED", changes: ["This rule was deleted."] };
  }
}

/** Rolls back without a change, so that the confirmation is not consumed either. */
export class RuleNotChanged extends Error {
  override readonly name = "RuleNotChanged";
  constructor(readonly result: Exclude<RuleChangeResult, { kind: "DONE" | "SIGNED" }>) {
    super("The rule was not changed");
  }
}

export interface LockedRule {
  latestVersion: number;
  activeVersion: number | null;
  isPaused: boolean;
}

/**
 * Locks what an act on a rule depends on, in the order of lib/db/LOCKS.md: membership, the organization's rules, its waiting
 * runs, the rule.
 * Of two members who activate conflicting rules, the second one sees the first. Edits and runs lock only the rule's row,
 * so they come before or after the act.
 * @throws RuleNotChanged if the rule does not exist or the member may not change it.
 */
async function lockRule(
  client: Queryable,
  context: Context<MemberActor>,
  ruleId: string,
): Promise<LockedRule> {
  await requireDecider(client, context, "change what rules do").catch((error: unknown) => {
    if (error instanceof AppError) throw new RuleNotChanged({ kind: "REFUSED", message: error.message });
    throw error;
  });
  await client.query({
    name: "lock_rules_of_organization",
    text: "select pg_advisory_xact_lock(hashtextextended(concat_ws('|', $1::text, 'rules'), 0))",
    values: [context.organizationId],
  });
  // A decision holds its proposal before the rule: an act that ends waiting runs would deadlock with it otherwise.
  await client.query({
    name: "lock_waiting_runs_of_rule",
    text: `select from proposals p join rule_executions e on e.organization_id = p.organization_id and e.id = p.id
            where p.organization_id = $1 and p.state = 'WAITING' and p.kind = 'RULE_RUN' and e.rule_id = $2
            order by p.id for no key update of p`,
    values: [context.organizationId, ruleId],
  });
  const { rows } = await client.query<LockedRule>({
    name: "lock_live_rule",
    text: `select latest_version as "latestVersion", active_version as "activeVersion",
                  paused_at is not null as "isPaused"
             from rules where organization_id = $1 and id = $2 and deleted_at is null for update`,
    values: [context.organizationId, ruleId],
  });
  const row = rows[0];
  if (!row) {
    throw new RuleNotChanged({ kind: "CHANGED", changes: ["This rule was deleted."] });
  }
  return row;
}
