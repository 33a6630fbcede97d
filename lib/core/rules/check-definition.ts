import type { PoolClient } from "pg";
import { AppError, type ErrorDetail } from "@/lib/contract/error";
import { destinationsOf, type RuleDefinition } from "@/lib/contract/rules/rule";
import type { Context } from "@/lib/core/context";
import { conditionAccounts } from "@/lib/engine/accounts-of";

interface Mention {
  field: string;
  accountId: string;
}

/** Where money of this rule comes from: the trigger's account and every action's source, each once. */
export function sourceAccountIds(definition: RuleDefinition): string[] {
  const ids = definition.steps.flatMap((step) => step.actions.map((action) => action.sourceAccountId));
  return [...new Set([definition.trigger.accountId, ...ids])];
}

/**
 * Refuses a rule that names accounts which are not the organization's or are closed.
 * @throws AppError `INVALID_PARAMETERS` with a detail for each.
 */
export async function checkDefinition(
  client: PoolClient,
  context: Context,
  definition: RuleDefinition,
): Promise<void> {
  const mentions = accountMentions(definition);
  const { rows } = await client.query<{ id: string }>({
    name: "find_open_accounts",
    text: `select id from accounts
            where organization_id = $1 and id = any ($2) and deleted_at is null`,
    values: [context.organizationId, [...new Set(mentions.map((mention) => mention.accountId))]],
  });
  const open = new Set(rows.map((row) => row.id));
  const details: ErrorDetail[] = mentions
    .filter((mention) => !open.has(mention.accountId))
    .map(({ field }) => ({ field, message: "there is no such open account" }));
  const first = details[0];
  if (first) throw new AppError("INVALID_PARAMETERS", `${first.field}: ${first.message}.`, details);
}

/** Every place where the rule names an account. */
function accountMentions(definition: RuleDefinition): Mention[] {
  const mentions: Mention[] = [{ field: "trigger.accountId", accountId: definition.trigger.accountId }];
  for (const [stepIndex, step] of definition.steps.entries()) {
    for (const [actionIndex, action] of step.actions.entries()) {
      const field = `steps.${stepIndex}.actions.${actionIndex}`;
      mentions.push({ field: `${field}.sourceAccountId`, accountId: action.sourceAccountId });
      for (const accountId of destinationsOf(action)) {
        mentions.push({ field: `${field}.destinationAccountId`, accountId });
      }
    }
    for (const accountId of conditionAccounts(step.conditions)) {
      mentions.push({ field: `steps.${stepIndex}.conditions`, accountId });
    }
  }
  return mentions;
}
