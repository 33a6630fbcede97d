import type { PoolClient } from "pg";
import { AppError } from "@/lib/contract/error";
import { MAXIMUM_DRAFT_LENGTH, MAXIMUM_NEW_RULE_DRAFTS, type RuleWork } from "@/lib/contract/rules/draft";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { requireDecider } from "@/lib/core/shared/roles";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

interface DraftToSave {
  /** From the editor's page; a member's earlier draft of the same rule keeps its own id. */
  draftId: string;
  /** Null: a rule that does not exist yet. */
  ruleId: string | null;
  /** The version that was edited. */
  baseVersion: number | null;
  work: RuleWork;
}

/**
 * Stores unfinished work on a rule. It does not run, and no other member sees it.
 * @returns the draft's id
 * @throws AppError `ACCESS_DENIED` unless the actor is an owner or co-owner; `RULE_NOT_FOUND`; `INVALID_PARAMETERS` for a
 * draft that is too large, one too many, one already saved as a version, and another member's.
 */
export async function saveDraft(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  draft: DraftToSave,
): Promise<string> {
  const definition = JSON.stringify(draft.work);
  if (definition.length > MAXIMUM_DRAFT_LENGTH) refuse("This draft is too large to save. Split the rule.");
  return inTransaction(services.pool, async (client) => {
    await requireDecider(client, context, "edit rules");
    await lockDrafts(client, context);
    if (await findVersionOfDraft(client, context, draft.draftId)) {
      refuse("This draft was already saved as a version. Open the rule to edit that version.");
    }
    if (draft.ruleId === null) await requireRoom(client, context, draft.draftId);
    else await requireRule(client, context, draft.ruleId);
    return draft.ruleId === null
      ? keepNew(client, context, draft.draftId, definition)
      : keepOfRule(client, context, { ...draft, ruleId: draft.ruleId }, definition);
  });
}

async function requireRoom(client: PoolClient, context: Context<MemberActor>, draftId: string) {
  const { rows } = await client.query<{ others: number }>({
    name: "count_new_rule_drafts",
    text: `select count(*)::int as others from rule_drafts
            where organization_id = $1 and user_id = $2 and rule_id is null and id <> $3`,
    values: [context.organizationId, context.actor.id, draftId],
  });
  if ((rows[0]?.others ?? 0) < MAXIMUM_NEW_RULE_DRAFTS) return;
  refuse(
    `You already have ${MAXIMUM_NEW_RULE_DRAFTS} drafts of new rules. Discard one under “New rule” to save this one.`,
  );
}

async function requireRule(client: PoolClient, context: Context, ruleId: string): Promise<void> {
  const { rowCount } = await client.query({
    name: "find_rule_of_draft",
    text: "select from rules where organization_id = $1 and id = $2 and deleted_at is null",
    values: [context.organizationId, ruleId],
  });
  if (rowCount !== 1) throw new AppError("RULE_NOT_FOUND", "This rule no longer exists.");
}

async function keepNew(
  client: PoolClient,
  { organizationId, actor, now }: Context<MemberActor>,
  draftId: string,
  definition: string,
): Promise<string> {
  const { rows } = await client.query<{ id: string }>({
    name: "keep_new_rule_draft",
    text: `insert into rule_drafts (organization_id, id, user_id, definition, created_at, updated_at)
             values ($1, $2, $3, $4, $5, $5)
           on conflict (organization_id, id) do update set definition = excluded.definition, updated_at = excluded.updated_at
             where rule_drafts.user_id = excluded.user_id and rule_drafts.rule_id is null
           returning id`,
    values: [organizationId, draftId, actor.id, definition, now],
  });
  return rows[0]?.id ?? refuse("There is no such draft.");
}

async function keepOfRule(
  client: PoolClient,
  { organizationId, actor, now }: Context<MemberActor>,
  { draftId, ruleId, baseVersion }: DraftToSave & { ruleId: string },
  definition: string,
): Promise<string> {
  const { rows } = await client.query<{ id: string }>({
    name: "keep_rule_draft",
    text: `with kept as (
             update rule_drafts set definition = $6, base_version = $5, updated_at = $7
              where organization_id = $1 and user_id = $3 and rule_id = $4
             returning id),
           made as (
             insert into rule_drafts (organization_id, id, user_id, rule_id, base_version, definition, created_at, updated_at)
               select $1, $2, $3, $4, $5, $6, $7, $7 where not exists (select from kept)
             on conflict (organization_id, id) do nothing
             returning id)
           select id from kept union all select id from made`,
    values: [organizationId, draftId, actor.id, ruleId, baseVersion, definition, now],
  });
  return rows[0]?.id ?? refuse("There is no such draft.");
}

function refuse(message: string): never {
  throw new AppError("INVALID_PARAMETERS", message);
}

/**
 * Discards a member's own draft, if it still exists. The rule and its versions are unchanged.
 * @param draft with a `ruleId`, the member's draft of that rule whatever its id
 */
export async function discardDraft(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  { draftId, ruleId }: { draftId: string; ruleId: string | null },
): Promise<void> {
  await inTransaction(services.pool, async (client) => {
    await lockDrafts(client, context);
    await client.query({
      name: "discard_rule_draft",
      text: `delete from rule_drafts where organization_id = $1 and user_id = $2
              and (id = $3 or rule_id = $4)`,
      values: [context.organizationId, context.actor.id, draftId, ruleId],
    });
  });
}

/**
 * Serializes changes to a member's drafts: two tabs cannot exceed the maximum, nothing is stored of a draft after it was
 * saved as a version, and a draft sent twice makes one version. Taken after the membership, before the rule.
 */
export async function lockDrafts(client: PoolClient, context: Context<MemberActor>): Promise<void> {
  // Bounded by the connection's lock timeout.
  await client.query({
    name: "lock_rule_drafts",
    text: "select pg_advisory_xact_lock(hashtextextended(concat_ws('|', 'rule drafts', $1::text, $2::text), 0))",
    values: [context.organizationId, context.actor.id],
  });
}

export interface SavedVersion {
  ruleId: string;
  version: number;
}

/** The version that this draft became; null while it is a draft. */
export async function findVersionOfDraft(
  client: Queryable,
  context: Context<MemberActor>,
  draftId: string,
): Promise<SavedVersion | null> {
  const { rows } = await client.query<{ ruleId: string; version: number }>({
    name: "find_version_of_draft",
    text: `select rule_id as "ruleId", version from rule_versions
            where organization_id = $1 and created_by_id = $3 and draft_id = $2`,
    values: [context.organizationId, draftId, context.actor.id],
  });
  const row = rows[0];
  return row ? { ruleId: row.ruleId, version: row.version } : null;
}
