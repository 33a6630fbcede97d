import type { PoolClient } from "pg";
import type { RuleActInput, RuleChangeResult } from "@/lib/contract/confirmation/decision";
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
import type { Context, MemberActor } from "@/lib/core/shared/context";
import type { Queryable } from "@/lib/db/transaction";
import { accountsOf } from "@/lib/engine/accounts-of";
import type { Services } from "@/lib/platform/services";

/**
 * Makes a version the one that runs live (docs/behavior/rules.md), for an owner or co-owner who confirms exactly what was
 * shown. All checks run again under the lock of the organization's rules; if an outcome or an account's name differs,
 * nothing happens and the result says what changed.
 */
export function activateRule(
  services: Pick<Services, "pool" | "clock" | "appUrl" | "log" | "authenticatorSecrets">,
  context: Context<MemberActor>,
  input: RuleActInput & { act: "ACTIVATE" },
): Promise<RuleChangeResult> {
  return confirmedRuleChange(services, context, input, (client, rule, event, ask) =>
    activateLocked(client, context, rule, event, { seenDigest: input.digest, ask }),
  );
}

async function activateLocked(
  client: PoolClient,
  context: Context<MemberActor>,
  { activeVersion }: LockedRule,
  event: RuleEvent,
  { seenDigest, ask }: { seenDigest: string; ask: AskProbe },
): Promise<void> {
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
  await client.query({
    name: "activate_rule",
    text: "select activate_rule($1)",
    values: [JSON.stringify({ ...event, nextRunAt })],
  });
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
