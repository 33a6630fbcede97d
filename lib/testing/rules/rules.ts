import { createHash } from "node:crypto";
import type { RuleAct, RuleChangeResult } from "@/lib/contract/confirmation/decision";
import type { TriggeredExecution, TriggerRuleBody } from "@/lib/contract/rules/execution";
import { type RuleDefinition, ruleDefinitionSchema } from "@/lib/contract/rules/rule";
import { checkDryRun } from "@/lib/core/approvals/checks-for-programs";
import { activateRule } from "@/lib/core/rules/activate-rule";
import { readActivation, readVersionDefinition } from "@/lib/core/rules/activation";
import { deactivateRule } from "@/lib/core/rules/change-rule";
import { getRuleExecution } from "@/lib/core/rules/read-executions";
import { runDueRules } from "@/lib/core/rules/run-due-rules";
import { createRule, updateRule } from "@/lib/core/rules/save-rule";
import { triggerRule } from "@/lib/core/rules/trigger-rule";
import type { CallerActor, Context, MemberActor } from "@/lib/core/shared/context";
import type { WriteRequest } from "@/lib/core/shared/write-once";
import type { Services } from "@/lib/platform/services";
import type { TestDatabase } from "@/lib/testing/database";

/** Permissions of a key that may write, read and run every rule. */
export const anythingWithRules = (approvalRequired: boolean) => [
  { type: "CREATE_AND_EDIT_RULES" as const, rules: "ALL" as const },
  { type: "READ_RULES" as const, rules: "ALL" as const },
  { type: "READ_TRANSFERS" as const, accounts: "ALL" as const },
  { type: "TRIGGER_RULES" as const, rules: "ALL" as const, approval: { required: approvalRequired } },
];

type LooseDefinition = Pick<RuleDefinition, "trigger"> & {
  name?: string;
  limits?: RuleDefinition["limits"];
  steps: { conditions?: unknown; actions: { [field: string]: unknown }[] }[];
};

/** Writes a rule through the API's command. @returns its id */
export async function writeRule(
  services: Services,
  context: Context<CallerActor>,
  definition: LooseDefinition,
): Promise<string> {
  const parsed = ruleDefinitionSchema.parse({ name: "A rule", ...definition });
  const path = "/platform/v1/rules";
  const sent = { method: "POST", path, idempotencyKey: null, calledReason: null, body: null };
  const result = await createRule(services, context, parsed, {
    sent,
    auditAction: "CREATE_RULE",
    status: 201,
    idempotency: null,
  });
  const body = result.body;
  if (typeof body !== "object" || body === null || !("data" in body)) throw new Error("No rule was written");
  const { data } = body;
  if (typeof data !== "object" || data === null || !("id" in data) || typeof data.id !== "string") {
    throw new Error("A rule without an id was written");
  }
  return data.id;
}

/** Makes a version live as an activation would, without the person: for tests of what rules do afterwards. */
export async function makeActive(
  database: Pick<TestDatabase, "ownerPool">,
  ruleId: string,
  nextRunAt: Date | null = null,
): Promise<void> {
  await database.ownerPool.query(
    `update rules r set active_version = v.version, active_trigger_type = v.definition -> 'trigger' ->> 'type',
        active_trigger_account_id = (v.definition -> 'trigger' ->> 'accountId')::uuid,
        active_minimum_in_cents = (v.definition -> 'trigger' ->> 'minimumAmountInCents')::bigint,
        next_run_at = $2, activated_at = r.updated_at
      from rule_versions v
     where r.id = $1 and v.organization_id = r.organization_id and v.rule_id = r.id and v.version = r.latest_version`,
    [ruleId, nextRunAt],
  );
}

/** Requests a run as the API does. @returns the run's id */
export async function askRun(
  services: Services,
  context: Context<CallerActor>,
  ruleId: string,
  body: TriggerRuleBody = {},
  idempotencyKey: string | null = null,
): Promise<string> {
  return (await requestRun(services, context, ruleId, body, idempotencyKey)).executionId;
}

/** The same. @returns what the API answers */
export async function requestRun(
  services: Services,
  context: Context<CallerActor>,
  ruleId: string,
  body: TriggerRuleBody = {},
  idempotencyKey: string | null = null,
): Promise<TriggeredExecution> {
  const path = `/platform/v1/rules/${ruleId}/trigger`;
  const result = await triggerRule(services, context, {
    ruleId,
    body,
    sent: { method: "POST", path, idempotencyKey, calledReason: null, body },
    auditAction: "TRIGGER_RULE",
    check: checkDryRun,
    idempotency:
      idempotencyKey === null
        ? null
        : {
            operation: "triggerRule",
            path,
            key: idempotencyKey,
            fingerprint: createHash("sha256").update(JSON.stringify(body)).digest("hex"),
          },
  });
  if (result.kind !== "RECORDED") throw new Error("The run was replayed");
  return result.body.data;
}

const MAXIMUM_ROUNDS = 100;

/** Carries out everything that is due, and what follows from it, until nothing is. @returns the number of runs */
export async function runAllRules(services: Services): Promise<number> {
  let count = 0;
  for (let round = 0; round < MAXIMUM_ROUNDS; round += 1) {
    const ran = await runDueRules(services, 64);
    if (ran === 0) return count;
    count += ran;
  }
  throw new Error("Rules did not come to rest");
}

/** A run as the API shows it. */
export function readRun(
  services: Services,
  context: Context<CallerActor>,
  ruleId: string,
  executionId: string,
) {
  return getRuleExecution(services, context, { ruleId, executionId });
}

const REQUEST: WriteRequest = {
  sent: { method: "POST", path: "/platform/v1/rules", idempotencyKey: null, calledReason: null, body: null },
  auditAction: null,
  status: 201,
  idempotency: null,
};

/** Writes the next version. */
export async function editRule(
  services: Pick<Services, "pool" | "appUrl" | "wake" | "bankCapabilities">,
  context: Context<CallerActor>,
  ruleId: string,
  definition: RuleDefinition,
): Promise<void> {
  await updateRule(services, context, { ruleId, definition, expectedVersion: null }, REQUEST);
}

/** What a person sees before activating a version. */
export async function inspectVersion(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  ruleId: string,
  version: number,
) {
  const { organizationId, now } = context;
  const definition = await readVersionDefinition(services.pool, organizationId, { ruleId, version });
  if (!definition) throw new Error("There is no such version");
  const { rows } = await services.pool.query<{ activeVersion: number | null }>(
    `select active_version as "activeVersion" from rules where organization_id = $1 and id = $2`,
    [organizationId, ruleId],
  );
  const activeVersion = rows[0]?.activeVersion ?? null;
  const of = { ruleId, version, activeVersion, definition };
  return readActivation(services.pool, { organizationId, now }, of);
}

/** Views a version as someone who just signed in and has no passkey. @returns what they then submit */
export async function readyToActivate(
  services: Services,
  context: Context<MemberActor>,
  ruleId: string,
  version = 1,
): Promise<() => Promise<RuleChangeResult>> {
  const { digest } = await inspectVersion(services, context, ruleId, version);
  const subject = { ...actOn("ACTIVATE", ruleId, version), act: "ACTIVATE" as const, digest };
  return () => activateRule(services, context, subject);
}

/** Views a version and activates it. */
export async function activate(
  services: Services,
  context: Context<MemberActor>,
  ruleId: string,
  version = 1,
): Promise<RuleChangeResult> {
  const press = await readyToActivate(services, context, ruleId, version);
  return press();
}

export function deactivate(
  services: Services,
  context: Context<MemberActor>,
  ruleId: string,
  version = 1,
): Promise<RuleChangeResult> {
  return deactivateRule(services, context, { ruleId, version });
}

function actOn(act: RuleAct, ruleId: string, version: number) {
  return { act, ruleId, version, digest: "", confirmation: { kind: "NONE" as const } };
}
