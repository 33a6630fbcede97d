import { createHash } from "node:crypto";
import type { TriggerRuleBody } from "@/lib/contract/rules/execution";
import { type RuleDefinition, ruleDefinitionSchema } from "@/lib/contract/rules/rule";
import { getRuleExecution } from "@/lib/core/rules/read-executions";
import { runDueRules } from "@/lib/core/rules/run-due-rules";
import { createRule } from "@/lib/core/rules/save-rule";
import { triggerRule } from "@/lib/core/rules/trigger-rule";
import type { CallerActor, Context } from "@/lib/core/shared/context";
import { newId } from "@/lib/platform/ids";
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

/** Writes a rule through the API's verb. @returns its id */
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

/** Asks for a run as the API does. @returns the run's id */
export async function askRun(
  services: Services,
  context: Context<CallerActor>,
  ruleId: string,
  body: TriggerRuleBody = {},
  idempotencyKey: string | null = null,
): Promise<string> {
  const path = `/platform/v1/rules/${ruleId}/trigger`;
  const result = await triggerRule(services, context, {
    ruleId,
    body,
    sent: { method: "POST", path, idempotencyKey, calledReason: null, body },
    auditAction: "TRIGGER_RULE",
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
  return result.body.data.executionId;
}

const MAXIMUM_ROUNDS = 100;

/** Carries out everything that is due, and what that sets off, until nothing is. @returns how many runs there were */
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

/** A new id at the services' time. */
export const idNow = (services: Pick<Services, "clock">) => newId(services.clock.now());
