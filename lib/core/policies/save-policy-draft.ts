import { AppError } from "@/lib/contract/error";
import type { PolicyAct } from "@/lib/contract/organization";
import type { PolicyDraft } from "@/lib/contract/policies/publication";
import { readPolicyDraft } from "@/lib/core/policies/read-signing";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { recordChange } from "@/lib/core/shared/record-change";
import { requireDecider } from "@/lib/core/shared/roles";
import { lockOrganization } from "@/lib/core/sign-in/lock-organization";
import { inTransaction } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

export interface SavedPolicyDraft {
  version: number;
  revision: number;
  /** It was being signed: its signatures ended. */
  endedSignatures: boolean;
}

const STALE =
  "Someone else changed this draft, so yours was not saved. Load this page again to see what they wrote.";

/**
 * Saves the organization's one draft; begins it where there is none. What was being signed is a draft again, without
 * signatures: they were for another text.
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks; `INVALID_PARAMETERS` for a save of an older revision.
 */
export async function savePolicyDraft(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  { version, revision, policy }: PolicyDraft,
): Promise<SavedPolicyDraft> {
  const { organizationId, actor, now } = context;
  return inTransaction(services.pool, async (client) => {
    await lockOrganization(client, organizationId);
    await requireDecider(client, context, "change who must approve");
    const before = await readPolicyDraft(client, organizationId);
    const { rows } = await client.query<{ saved: { version: number; revision: number } | null }>({
      name: "save_policy_draft",
      text: "select save_policy_draft($1) as saved",
      values: [
        JSON.stringify({ organizationId, userId: actor.id, version, revision, definition: policy, now }),
      ],
    });
    const saved = rows[0]?.saved;
    if (!saved) throw new AppError("INVALID_PARAMETERS", STALE);
    if (version === null) await recordPolicy(client, context, saved.version, "DRAFTED");
    return { ...saved, endedSignatures: before?.state === "SIGNING" };
  });
}

/**
 * Discards the draft, with the signatures that it has.
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks; `INVALID_PARAMETERS` if there is no such draft.
 */
export async function discardPolicyDraft(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  version: number,
): Promise<void> {
  const { organizationId, actor, now } = context;
  await inTransaction(services.pool, async (client) => {
    await lockOrganization(client, organizationId);
    await requireDecider(client, context, "change who must approve");
    const { rows } = await client.query<{ isDiscarded: boolean }>({
      name: "discard_policy_draft",
      text: `select discard_policy_draft($1, $2, $3, $4) as "isDiscarded"`,
      values: [organizationId, version, actor.id, now],
    });
    if (!rows[0]?.isDiscarded) {
      throw new AppError("INVALID_PARAMETERS", "This draft was published or discarded in the meantime.");
    }
    await recordPolicy(client, context, version, "DISCARDED");
  });
}

/** @returns the id of the record, which notices name */
export function recordPolicy(
  client: Parameters<typeof recordChange>[0],
  context: Context<MemberActor>,
  version: number,
  act: PolicyAct,
): Promise<string> {
  return recordChange(client, context, {
    kind: "APPROVAL_POLICY",
    subject: String(version),
    before: null,
    after: act,
  });
}
