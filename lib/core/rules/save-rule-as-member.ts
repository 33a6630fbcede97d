import type { PoolClient } from "pg";
import { AppError } from "@/lib/contract/error";
import { MAXIMUM_DEFINITION_LENGTH } from "@/lib/contract/rules/draft";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import { checkDefinition } from "@/lib/core/rules/check-definition";
import { findRule, requireReadable } from "@/lib/core/rules/find-rule";
import { insertNextVersion, insertRule, lockForEdit } from "@/lib/core/rules/insert-version";
import { findVersionOfDraft, lockDrafts, type SavedVersion } from "@/lib/core/rules/lock-drafts";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { requireDecider } from "@/lib/core/shared/require-decider";
import { inTransaction } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

export interface MemberEdit {
  draftId: string;
  /** Null: a new rule. */
  ruleId: string | null;
  /** The version that the member has seen; null of a new rule. */
  expectedVersion: number | null;
  definition: RuleDefinition;
  /** What the member says of this version; null: nothing. */
  reason: string | null;
}

/**
 * Saves a member's draft as a rule, or as the next version of one, inactive until a person activates it; the draft is
 * gone then. The same draft sent again answers what it became, and makes nothing.
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner saves, `RULE_NOT_FOUND`, `INVALID_RULE`,
 * `RULE_VERSION_CONFLICT` with who was faster, `INVALID_PARAMETERS`.
 */
export async function saveRuleAsMember(
  services: Pick<Services, "pool" | "appUrl">,
  context: Context<MemberActor>,
  edit: MemberEdit,
): Promise<SavedVersion> {
  if (JSON.stringify(edit.definition).length > MAXIMUM_DEFINITION_LENGTH) {
    const message = `A rule takes at most ${MAXIMUM_DEFINITION_LENGTH / 1024} KiB as JSON. Split it into two.`;
    throw new AppError("INVALID_PARAMETERS", message);
  }
  const told = { ...context, calledReason: edit.reason };
  return inTransaction(services.pool, async (client) => {
    await requireDecider(client, context, "edit rules");
    await lockDrafts(client, context);
    const before = await findVersionOfDraft(client, context, edit.draftId);
    if (before) return before;
    const saved = await write(client, told, edit, services.appUrl);
    await client.query({
      name: "end_rule_draft",
      text: `delete from rule_drafts where organization_id = $1 and user_id = $2 and (id = $3 or rule_id = $4)`,
      values: [context.organizationId, context.actor.id, edit.draftId, edit.ruleId],
    });
    return saved;
  });
}

async function write(
  client: PoolClient,
  context: Context<MemberActor>,
  { ruleId, expectedVersion, definition, draftId }: MemberEdit,
  appUrl: string,
): Promise<SavedVersion> {
  if (ruleId === null) {
    await checkDefinition(client, context, definition);
    return { ruleId: await insertRule(client, context, definition, draftId), version: 1 };
  }
  await lockForEdit(client, context, ruleId);
  const row = await findRule(client, context, "ALL", ruleId);
  requireReadable(row, appUrl);
  if (row.latest_version !== expectedVersion) {
    const message = await meanwhile(client, context, ruleId, row.latest_version);
    throw new AppError("RULE_VERSION_CONFLICT", message);
  }
  await checkDefinition(client, context, definition);
  return { ruleId, version: await insertNextVersion(client, context, row, definition, draftId) };
}

async function meanwhile(
  client: PoolClient,
  { organizationId, actor }: Context<MemberActor>,
  ruleId: string,
  version: number,
): Promise<string> {
  const { rows } = await client.query<{ created_by_id: string; created_by_name: string }>({
    name: "find_version_author",
    text: `select created_by_id, created_by_name from rule_versions
            where organization_id = $1 and rule_id = $2 and version = $3`,
    values: [organizationId, ruleId, version],
  });
  const author = rows[0];
  const who = author?.created_by_id === actor.id ? "You" : (author?.created_by_name ?? "Somebody");
  return `${who} saved version ${version} meanwhile. Nothing was saved; your draft is kept.`;
}
