import type { PoolClient } from "pg";
import type { RuleActInput, RuleChangeResult } from "@/lib/contract/confirmation/decision";
import { signChange } from "@/lib/core/policies/sign-change";
import {
  describeActivationChanges,
  readActivation,
  readVersionDefinition,
} from "@/lib/core/rules/activation";
import {
  confirmedRuleChange,
  type LockedRule,
  type RuleEvent,
  RuleNotChanged,
} from "@/lib/core/rules/change-rule";
import type { AskProbe } from "@/lib/core/rules/probe-subject";
import { readVersionChange } from "@/lib/core/rules/version-change";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { SEND_NOTICES } from "@/lib/core/shared/work-names";
import { writeNotice } from "@/lib/core/shared/write-notice";
import type { ConfirmationMethod } from "@/lib/core/sign-in/confirmation";
import type { Queryable } from "@/lib/db/transaction";
import { accountsOf } from "@/lib/engine/accounts-of";
import type { Services } from "@/lib/platform/services";

/**
 * Makes a version the one that runs live (docs/behavior/rules.md), for an owner or co-owner who confirms exactly what was
 * shown. All checks run again under the lock of the organization's rules; if an outcome or an account's name differs,
 * nothing happens and the result says what changed. Where the policy in force asks for several people, all but the last one
 * only sign.
 */
export async function activateRule(
  services: Pick<Services, "pool" | "clock" | "appUrl" | "log" | "authenticatorSecrets" | "wake">,
  context: Context<MemberActor>,
  input: RuleActInput & { act: "ACTIVATE" },
): Promise<RuleChangeResult> {
  const result = await confirmedRuleChange(services, context, input, (client, rule, event, ask) =>
    activateLocked(client, context, rule, event, { seenDigest: input.digest, ask }),
  );
  if (result.kind === "SIGNED") services.wake(SEND_NOTICES);
  return result;
}

async function activateLocked(
  client: PoolClient,
  context: Context<MemberActor>,
  { activeVersion }: LockedRule,
  event: RuleEvent & { method: ConfirmationMethod },
  { seenDigest, ask }: { seenDigest: string; ask: AskProbe },
): Promise<{ kind: "DONE" | "SIGNED" }> {
  const { organizationId, now } = context;
  const { ruleId, version } = event;
  if (activeVersion === version) throw changed([`Version ${version} is already active.`]);
  if (await isDiscarded(client, organizationId, ruleId, version)) {
    throw changed([`Version ${version} was discarded.`]);
  }
  const definition = await readVersionDefinition(client, organizationId, event);
  if (!definition) throw changed([`This version of Sluice cannot represent version ${version}.`]);
  await keepAccounts(client, organizationId, accountsOf(definition));

  const of = { ruleId, version, activeVersion, definition };
  const { checks, digest, nextRunAt } = await readActivation(client, { organizationId, now }, of, { ask });
  if (digest !== seenDigest) throw changed(describeActivationChanges(seenDigest, digest));
  if (checks.some((check) => check.outcome === "BLOCKS")) {
    throw new RuleNotChanged({
      kind: "REFUSED",
      message: "A check on this page blocks the activation. Nothing was activated.",
    });
  }
  const change = await readVersionChange(client, { organizationId, now }, of);
  const signed = await signChange(client, context, change, event.method);
  if (signed.kind === "REFUSED") {
    throw new RuleNotChanged({ kind: "REFUSED", message: `${signed.message} Nothing was activated.` });
  }
  if (signed.kind === "SIGNED") {
    await askOthers(client, context, ruleId, signed.maySign);
    return { kind: "SIGNED" };
  }
  await client.query({
    name: "activate_rule",
    text: "select activate_rule($1)",
    values: [JSON.stringify({ ...event, nextRunAt })],
  });
  return { kind: "DONE" };
}

async function askOthers(
  client: Queryable,
  { organizationId, now }: Context,
  ruleId: string,
  maySign: readonly string[],
): Promise<void> {
  for (const userId of maySign) {
    await writeNotice(client, {
      organizationId,
      kind: "RULE_SIGNATURE_ASKED",
      subjectId: ruleId,
      userId,
      digestKey: null,
      now,
    });
  }
}

function changed(changes: string[]): RuleNotChanged {
  return new RuleNotChanged({ kind: "CHANGED", changes });
}

async function isDiscarded(
  client: Queryable,
  organizationId: string,
  ruleId: string,
  version: number,
): Promise<boolean> {
  const { rowCount } = await client.query(
    "select from rule_version_discards where organization_id = $1 and rule_id = $2 and version = $3",
    [organizationId, ruleId, version],
  );
  return rowCount === 1;
}

/**
 * Conflicts with the FOR UPDATE of closing an account: either the account was closed before and the checks see that, or
 * the closing waits and then finds this rule.
 */
async function keepAccounts(
  client: Queryable,
  organizationId: string,
  accountIds: readonly string[],
): Promise<void> {
  await client.query(
    "select from accounts where organization_id = $1 and id = any ($2) order by id for key share",
    [organizationId, accountIds],
  );
}
