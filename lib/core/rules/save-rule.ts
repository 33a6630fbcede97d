import type { PoolClient } from "pg";
import { AppError } from "@/lib/contract/error";
import { MAXIMUM_DEFINITION_LENGTH } from "@/lib/contract/rules/draft";
import type { RuleDefinition, WrittenRule } from "@/lib/contract/rules/rule";
import { readActivationAnswer } from "@/lib/core/rules/activation";
import { checkDefinition, sourceAccountIds } from "@/lib/core/rules/check-definition";
import { type AskProbe, withProbes } from "@/lib/core/rules/probe-subject";
import { findRule, type RuleRow, requireReadable, withLookAlike } from "@/lib/core/rules/read-rules";
import { findVersionOfDraft, lockDrafts, type SavedVersion } from "@/lib/core/rules/save-draft";
import type { CallerActor, Context, MemberActor } from "@/lib/core/shared/context";
import { requirePermission } from "@/lib/core/shared/permits";
import { requireDecider } from "@/lib/core/shared/roles";
import { SEND_NOTICES } from "@/lib/core/shared/work-names";
import { writeNotice } from "@/lib/core/shared/write-notice";
import { type WriteRequest, type WriteResult, writeOnce } from "@/lib/core/shared/write-once";
import { inTransaction } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";

/**
 * Writes a rule, inactive until a person activates it, and returns whether a person could (docs/behavior/rules.md).
 * @throws AppError `ACCESS_DENIED` unless the key may edit all rules; `INVALID_PARAMETERS`; as `writeOnce`.
 */
export async function createRule(
  services: Pick<Services, "pool" | "appUrl" | "wake" | "bankCapabilities">,
  context: Context<CallerActor>,
  definition: RuleDefinition,
  request: WriteRequest,
): Promise<WriteResult> {
  if (requirePermission(context.actor, "CREATE_AND_EDIT_RULES").rules !== "ALL") {
    throw new AppError(
      "ACCESS_DENIED",
      "This key may only edit the rules in its list. Creating rules requires CREATE_AND_EDIT_RULES for all rules.",
    );
  }
  const result = await writeOnceWithProbes(services, context, request, async (client, ask) => {
    await checkDefinition(client, context, definition, services.bankCapabilities);
    const ruleId = await insertRule(client, context, definition, null);
    await noticeOfProposal(client, context, ruleId);
    const rule = requireReadable(await findRule(client, context, "ALL", ruleId), services.appUrl);
    const named = await withLookAlike(client, context, rule);
    return { ...named, activation: await readActivationAnswer(client, context, named, ask) };
  });
  if (result.kind === "RECORDED") services.wake(SEND_NOTICES);
  return result;
}

/** The latest version of a rule, for a caller that is about to replace it. */
export interface RuleToEdit {
  version: number;
  definition: RuleDefinition;
}

/**
 * Reads what `updateRule` would replace.
 * @throws AppError `RULE_NOT_FOUND`, `ACCESS_DENIED`, `INVALID_RULE`.
 */
export async function readRuleToEdit(
  services: Pick<Services, "pool" | "appUrl">,
  context: Context<CallerActor>,
  ruleId: string,
): Promise<RuleToEdit> {
  const { rules } = requirePermission(context.actor, "CREATE_AND_EDIT_RULES");
  const rule = requireReadable(await findRule(services.pool, context, rules, ruleId), services.appUrl);
  const { name, description, trigger, steps, limits, version } = rule;
  return { version, definition: { name, description, trigger, steps, limits } };
}

/** The checks of a version take long compared with its transaction, which therefore never waits for them. */
function writeOnceWithProbes(
  services: Pick<Services, "pool">,
  context: Context<CallerActor>,
  request: WriteRequest,
  work: (client: PoolClient, ask: AskProbe) => Promise<WrittenRule>,
): Promise<WriteResult> {
  return withProbes((ask) => writeOnce(services, context, request, (client) => work(client, ask)));
}

/** No key may activate what it writes, so the people who may are notified. */
async function noticeOfProposal(
  client: PoolClient,
  { organizationId, actor, now }: Context<CallerActor>,
  ruleId: string,
): Promise<void> {
  await writeNotice(client, {
    organizationId,
    kind: "RULE_PROPOSED",
    subjectId: ruleId,
    userId: null,
    digestKey: actor.id,
    now,
  });
}

interface RuleEdit {
  ruleId: string;
  definition: RuleDefinition;
  /** The version that the caller has seen; null: do not check. */
  expectedVersion: number | null;
}

/**
 * Replaces a rule's definition by a new version, inactive until a person activates it; an active version keeps running
 * until then. Returns whether a person could activate it (docs/behavior/rules.md).
 * @throws AppError `RULE_NOT_FOUND`, `ACCESS_DENIED`, `INVALID_RULE`, `RULE_VERSION_CONFLICT`, `INVALID_PARAMETERS`; as
 * `writeOnce`.
 */
export async function updateRule(
  services: Pick<Services, "pool" | "appUrl" | "wake" | "bankCapabilities">,
  context: Context<CallerActor>,
  edit: RuleEdit,
  request: WriteRequest,
): Promise<WriteResult> {
  const { rules } = requirePermission(context.actor, "CREATE_AND_EDIT_RULES");
  const result = await writeOnceWithProbes(services, context, request, async (client, ask) => {
    await lockForEdit(client, context, edit.ruleId);
    const before = await findRule(client, context, rules, edit.ruleId);
    requireReadable(before, services.appUrl);
    if (edit.expectedVersion !== null && edit.expectedVersion !== before.latestVersion) {
      throw new AppError(
        "RULE_VERSION_CONFLICT",
        `The rule is at version ${before.latestVersion}, not ${edit.expectedVersion}. Read it again and edit that version.`,
      );
    }
    await checkDefinition(client, context, edit.definition, services.bankCapabilities);
    await insertNextVersion(client, context, before, edit.definition, null);
    await noticeOfProposal(client, context, edit.ruleId);
    const rule = requireReadable(await findRule(client, context, rules, edit.ruleId), services.appUrl);
    const named = await withLookAlike(client, context, rule);
    return { ...named, activation: await readActivationAnswer(client, context, named, ask) };
  });
  if (result.kind === "RECORDED") services.wake(SEND_NOTICES);
  return result;
}

interface MemberEdit {
  draftId: string;
  /** Null: a new rule. */
  ruleId: string | null;
  /** The version that the member has seen; null for a new rule. */
  expectedVersion: number | null;
  definition: RuleDefinition;
  /** The member's note on this version. */
  reason: string | null;
}

/**
 * Saves a member's draft as a rule, or as the next version of one, inactive until a person activates it, and deletes the
 * draft. The same draft sent again returns the version that it became.
 * @throws AppError `ACCESS_DENIED` unless the actor is an owner or co-owner, `RULE_NOT_FOUND`, `INVALID_RULE`,
 * `RULE_VERSION_CONFLICT` naming who saved first, `INVALID_PARAMETERS`.
 */
export async function saveRuleAsMember(
  services: Pick<Services, "pool" | "appUrl" | "bankCapabilities">,
  context: Context<MemberActor>,
  edit: MemberEdit,
): Promise<SavedVersion> {
  if (JSON.stringify(edit.definition).length > MAXIMUM_DEFINITION_LENGTH) {
    const message = `A rule can have at most ${MAXIMUM_DEFINITION_LENGTH / 1024} KiB of JSON. Split it into two rules.`;
    throw new AppError("INVALID_PARAMETERS", message);
  }
  const withReason = { ...context, calledReason: edit.reason };
  return inTransaction(services.pool, async (client) => {
    await requireDecider(client, context, "edit rules");
    await lockDrafts(client, context);
    const before = await findVersionOfDraft(client, context, edit.draftId);
    if (before) return before;
    const saved = await write(client, withReason, edit, services);
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
  services: Pick<Services, "appUrl" | "bankCapabilities">,
): Promise<SavedVersion> {
  if (ruleId === null) {
    await checkDefinition(client, context, definition, services.bankCapabilities);
    return { ruleId: await insertRule(client, context, definition, draftId), version: 1 };
  }
  await lockForEdit(client, context, ruleId);
  const row = await findRule(client, context, "ALL", ruleId);
  requireReadable(row, services.appUrl);
  if (row.latestVersion !== expectedVersion) {
    const message = await conflictMessage(client, context, ruleId, row.latestVersion);
    throw new AppError("RULE_VERSION_CONFLICT", message);
  }
  await checkDefinition(client, context, definition, services.bankCapabilities);
  return { ruleId, version: await insertNextVersion(client, context, row, definition, draftId) };
}

async function conflictMessage(
  client: PoolClient,
  { organizationId, actor }: Context<MemberActor>,
  ruleId: string,
  version: number,
): Promise<string> {
  const { rows } = await client.query<{ createdById: string; createdByName: string }>({
    name: "find_version_author",
    text: `select created_by_id as "createdById", created_by_name as "createdByName" from rule_versions
            where organization_id = $1 and rule_id = $2 and version = $3`,
    values: [organizationId, ruleId, version],
  });
  const author = rows[0];
  const who = author?.createdById === actor.id ? "You" : (author?.createdByName ?? "Someone");
  return `${who} saved version ${version} in the meantime. Nothing was saved; your draft is kept.`;
}

/**
 * Writes a rule with its first version, inactive until a person activates it. `checkDefinition` has passed.
 * @param draftId the member's draft that it is saved from; null for a key
 * @returns its id
 */
async function insertRule(
  client: PoolClient,
  context: Context,
  definition: RuleDefinition,
  draftId: string | null,
): Promise<string> {
  const ruleId = newId(context.now);
  await client.query({
    name: "insert_rule",
    text: `
      insert into rules (organization_id, id, name, latest_version, source_account_ids, created_at, updated_at)
        values ($1, $2, $3, 1, $4, $5, $5)`,
    values: [context.organizationId, ruleId, definition.name, sourceAccountIds(definition), context.now],
  });
  await insertVersion(client, context, { ruleId, version: 1, definition, draftId });
  return ruleId;
}

/**
 * Writes the next version of a rule; an active one keeps running. `checkDefinition` has passed.
 * @param before the rule's row under its lock (`lockForEdit`)
 * @returns the number of the version
 */
async function insertNextVersion(
  client: PoolClient,
  context: Context,
  before: Pick<RuleRow, "id" | "versionsMade">,
  definition: RuleDefinition,
  draftId: string | null,
): Promise<number> {
  const version = before.versionsMade + 1;
  await client.query({
    name: "update_rule",
    text: `
      update rules set name = $3, latest_version = $4, versions_made = $4, source_account_ids = $5, updated_at = $6
       where organization_id = $1 and id = $2`,
    values: [
      context.organizationId,
      before.id,
      definition.name,
      version,
      sourceAccountIds(definition),
      context.now,
    ],
  });
  await insertVersion(client, context, { ruleId: before.id, version, definition, draftId });
  return version;
}

/** Two concurrent edits would otherwise both write the next version. */
async function lockForEdit(client: PoolClient, context: Context, ruleId: string): Promise<void> {
  await client.query({
    name: "lock_rule",
    text: "select from rules where organization_id = $1 and id = $2 for update",
    values: [context.organizationId, ruleId],
  });
}

interface NewVersion {
  ruleId: string;
  version: number;
  definition: RuleDefinition;
  draftId: string | null;
}

/** A version is written once and never changed. */
async function insertVersion(
  client: PoolClient,
  { organizationId, actor, now, calledReason }: Context,
  { ruleId, version, definition, draftId }: NewVersion,
): Promise<void> {
  await client.query({
    name: "insert_rule_version",
    text: `insert into rule_versions (organization_id, rule_id, version, definition, created_by_kind, created_by_id,
        created_by_name, created_at, reason, draft_id, proposal_id)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    values: [
      organizationId,
      ruleId,
      version,
      JSON.stringify(definition),
      // Assistants too: the tables store every caller as a key.
      actor.kind === "MEMBER" ? "MEMBER" : "API_KEY",
      actor.id,
      actor.name,
      now,
      calledReason,
      draftId,
      actor.kind === "MEMBER" ? null : newId(now),
    ],
  });
}
