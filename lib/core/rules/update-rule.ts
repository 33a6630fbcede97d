import { AppError } from "@/lib/contract/error";
import type { RuleDefinition, WrittenRule } from "@/lib/contract/rules/rule";
import { readActivationAnswer } from "@/lib/core/rules/activation-answer";
import { checkDefinition } from "@/lib/core/rules/check-definition";
import { findRule, requireReadable } from "@/lib/core/rules/find-rule";
import { insertNextVersion, lockForEdit } from "@/lib/core/rules/insert-version";
import type { CallerActor, Context } from "@/lib/core/shared/context";
import { requirePermission } from "@/lib/core/shared/permits";
import { type WriteRequest, type WriteResult, writeOnce } from "@/lib/core/shared/write-once";
import type { Services } from "@/lib/platform/services";

export interface RuleEdit {
  ruleId: string;
  definition: RuleDefinition;
  /** The version that the caller has seen; null when it does not matter to them. */
  expectedVersion: number | null;
}

/**
 * Replaces a rule's definition by a new version, inactive until a human activates it; an active version keeps running
 * until then (decisions page, "PUT /rules/{id}"). Answers whether a human could activate it.
 * @throws AppError `RULE_NOT_FOUND`, `ACCESS_DENIED`, `INVALID_RULE`, `RULE_VERSION_CONFLICT`, `INVALID_PARAMETERS`; as
 * `writeOnce`.
 */
export async function updateRule(
  services: Pick<Services, "pool" | "appUrl">,
  context: Context<CallerActor>,
  edit: RuleEdit,
  request: WriteRequest,
): Promise<WriteResult> {
  const { rules } = requirePermission(context.actor, "CREATE_AND_EDIT_RULES");
  return writeOnce(services, context, request, async (client): Promise<WrittenRule> => {
    await lockForEdit(client, context, edit.ruleId);
    const before = await findRule(client, context, rules, edit.ruleId);
    requireReadable(before, services.appUrl);
    if (edit.expectedVersion !== null && edit.expectedVersion !== before.latest_version) {
      throw new AppError(
        "RULE_VERSION_CONFLICT",
        `The rule is at version ${before.latest_version}, not ${edit.expectedVersion}. Read it again and edit that one.`,
      );
    }
    await checkDefinition(client, context, edit.definition);
    await insertNextVersion(client, context, before, edit.definition, null);
    const rule = requireReadable(await findRule(client, context, rules, edit.ruleId), services.appUrl);
    return { ...rule, activation: await readActivationAnswer(client, context, rule) };
  });
}
