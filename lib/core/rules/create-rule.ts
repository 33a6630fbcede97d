import type { PoolClient } from "pg";
import { AppError } from "@/lib/contract/error";
import type { Rule, RuleDefinition } from "@/lib/contract/rules/rule";
import type { ApiKeyActor, Context } from "@/lib/core/context";
import { requirePermission } from "@/lib/core/keys/permits";
import { checkDefinition, sourceAccountIds } from "@/lib/core/rules/check-definition";
import { findRule, requireReadable } from "@/lib/core/rules/find-rule";
import { type WriteRequest, type WriteResult, writeOnce } from "@/lib/core/write-once";
import { newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";

/**
 * Writes a rule, inactive until a human activates it (decisions page, "POST /rules").
 * @throws AppError `ACCESS_DENIED` unless the key may edit all rules; `INVALID_PARAMETERS`; as `writeOnce`.
 */
export async function createRule(
  services: Pick<Services, "pool" | "appUrl">,
  context: Context<ApiKeyActor>,
  definition: RuleDefinition,
  request: WriteRequest,
): Promise<WriteResult> {
  if (requirePermission(context.actor, "CREATE_AND_EDIT_RULES").rules !== "ALL") {
    throw new AppError(
      "ACCESS_DENIED",
      "This key may edit the rules of its list only. Creating rules needs CREATE_AND_EDIT_RULES for all rules.",
    );
  }
  return writeOnce(services, context, request, async (client): Promise<Rule> => {
    await checkDefinition(client, context, definition);
    const ruleId = newId(context.now);
    await client.query({
      name: "insert_rule",
      text: `
        insert into rules (organization_id, id, name, latest_version, source_account_ids, created_at, updated_at)
          values ($1, $2, $3, 1, $4, $5, $5)`,
      values: [context.organizationId, ruleId, definition.name, sourceAccountIds(definition), context.now],
    });
    await insertVersion(client, context, ruleId, 1, definition);
    return requireReadable(await findRule(client, context, "ALL", ruleId), services.appUrl);
  });
}

/** A version is written once and never changed. */
export async function insertVersion(
  client: PoolClient,
  context: Context<ApiKeyActor>,
  ruleId: string,
  version: number,
  definition: RuleDefinition,
): Promise<void> {
  const { organizationId, actor, now } = context;
  await client.query({
    name: "insert_rule_version",
    text: `insert into rule_versions (organization_id, rule_id, version, definition, created_by_kind, created_by_id,
        created_by_name, created_at, reason)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    values: [
      organizationId,
      ruleId,
      version,
      JSON.stringify(definition),
      actor.kind,
      actor.id,
      actor.name,
      now,
      context.calledReason,
    ],
  });
}
