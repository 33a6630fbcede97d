import { AppError } from "@/lib/contract/error";
import type { RuleDefinition, WrittenRule } from "@/lib/contract/rules/rule";
import { readActivationAnswer } from "@/lib/core/rules/activation-answer";
import { checkDefinition } from "@/lib/core/rules/check-definition";
import { findRule, requireReadable } from "@/lib/core/rules/find-rule";
import { insertRule } from "@/lib/core/rules/insert-version";
import type { CallerActor, Context } from "@/lib/core/shared/context";
import { requirePermission } from "@/lib/core/shared/permits";
import { type WriteRequest, type WriteResult, writeOnce } from "@/lib/core/shared/write-once";
import type { Services } from "@/lib/platform/services";

/**
 * Writes a rule, inactive until a human activates it (decisions page, "POST /rules"), and answers whether one could.
 * @throws AppError `ACCESS_DENIED` unless the key may edit all rules; `INVALID_PARAMETERS`; as `writeOnce`.
 */
export async function createRule(
  services: Pick<Services, "pool" | "appUrl">,
  context: Context<CallerActor>,
  definition: RuleDefinition,
  request: WriteRequest,
): Promise<WriteResult> {
  if (requirePermission(context.actor, "CREATE_AND_EDIT_RULES").rules !== "ALL") {
    throw new AppError(
      "ACCESS_DENIED",
      "This key may edit the rules of its list only. Creating rules needs CREATE_AND_EDIT_RULES for all rules.",
    );
  }
  return writeOnce(services, context, request, async (client): Promise<WrittenRule> => {
    await checkDefinition(client, context, definition);
    const ruleId = await insertRule(client, context, definition, null);
    const rule = requireReadable(await findRule(client, context, "ALL", ruleId), services.appUrl);
    return { ...rule, activation: await readActivationAnswer(client, context, rule) };
  });
}
