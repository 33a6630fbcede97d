import type { ConfirmationRequest } from "@/lib/contract/confirmation/decision";
import { AppError } from "@/lib/contract/error";
import type {
  PolicySignInput,
  PolicySignResult,
  PolicySignSubject,
} from "@/lib/contract/policies/publication";
import { readTimeZone } from "@/lib/core/organizations/read-time-zone";
import { lintDraft } from "@/lib/core/policies/lint-draft";
import { type PolicySigning, readPolicySigning } from "@/lib/core/policies/read-signing";
import { recordPolicy } from "@/lib/core/policies/save-policy-draft";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { requireDecider } from "@/lib/core/shared/roles";
import { writeNotice } from "@/lib/core/shared/write-notice";
import type { Confirmed } from "@/lib/core/sign-in/confirmation";
import { lockOrganization } from "@/lib/core/sign-in/lock-organization";
import {
  beginSignature,
  changedSince,
  refuseToSign,
  type Signed,
  type SignServices,
  sign,
} from "@/lib/core/sign-in/sign";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import { forbidsPublishing } from "@/lib/engine/policies/lint-policy";
import { calendarDate } from "@/lib/engine/schedule/calendar-day";
import { newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";

const HOUR_MS = 3_600_000;

const signed = ({ version, hash }: PolicySignSubject): Signed => ({
  what: "a policy",
  text: `policy ${version} ${hash}`,
});

/** How this member must confirm a signature, with its challenge. Does not check whether they may sign. */
export function beginPolicySignature(
  services: Pick<Services, "pool" | "clock" | "appUrl">,
  actor: MemberActor,
  subject: PolicySignSubject,
): Promise<ConfirmationRequest> {
  return beginSignature(services, actor, signed(subject));
}

/**
 * Signs a version of the policy as it was shown. The first signature asks for the others; the last one puts the version in
 * force, in the same transaction. Who must sign, whose signatures still count and that the policy holds is read again under
 * the lock of the organization, so of two last signatures one publishes, and a role lost meanwhile counts no more.
 */
export function signPolicy(
  services: SignServices,
  context: Context<MemberActor>,
  { confirmation, ...subject }: PolicySignInput,
): Promise<PolicySignResult> {
  return sign<PolicySignResult>(
    services,
    context,
    { ...signed(subject), confirmation },
    async (client, confirmed) => {
      await requireDecider(client, context, "sign a policy");
      return signLocked(client, context, subject, confirmed);
    },
  );
}

async function signLocked(
  client: Queryable,
  context: Context<MemberActor>,
  subject: PolicySignSubject,
  confirmed: Confirmed,
): Promise<PolicySignResult> {
  const { organizationId, actor, now } = context;
  const today = calendarDate(now, await readTimeZone(client, organizationId));
  const reading = { organizationId, memberId: actor.id, today };
  const signing = await requireShown(client, context, subject, reading);
  await requireSound(client, signing, reading);
  const begins = signing.draft.state === "DRAFT";
  const before = begins ? [] : signing.progress.maySign;
  if (begins) await begin(client, context, signing);
  if (!signing.progress.maySign.includes(actor.id)) {
    if (!begins) throw refuseToSign(whyNot(signing, actor.id));
    const changeId = await recordPolicy(client, context, signing.draft.version, "ASKED");
    await askOthers(client, context, { changeId, maySign: signing.progress.maySign, before });
    return { kind: "ASKED" };
  }
  await writeSignature(client, context, { signing, today, confirmed });
  const after = await readPolicySigning(client, reading);
  if (!after) throw new Error("A locked draft is gone");
  const changeId = await recordPolicy(client, context, after.draft.version, "SIGNED");
  if (after.progress.isComplete) {
    await publish(client, context, after);
    return { kind: "PUBLISHED" };
  }
  await askOthers(client, context, { changeId, maySign: after.progress.maySign, before });
  return { kind: "SIGNED" };
}

interface SigningReading {
  organizationId: string;
  memberId: string;
  today: string;
}

/** @throws NotSigned if the draft is gone, expired, or another one than was shown. */
async function requireShown(
  client: Queryable,
  { now }: Context,
  { version, hash }: PolicySignSubject,
  reading: SigningReading,
): Promise<PolicySigning> {
  const signing = await readPolicySigning(client, reading);
  if (signing?.draft.version !== version) {
    throw changedSince(`Version ${version} was published or discarded in the meantime.`);
  }
  if (signing.hash !== hash) {
    throw changedSince(`Version ${version} was changed after this page was loaded.`);
  }
  const { expiresAt } = signing.draft;
  if (expiresAt !== null && expiresAt <= now) {
    throw refuseToSign("The time for these signatures is over. Load this page again to start over.");
  }
  return signing;
}

/** People may have changed since the draft was checked. */
async function requireSound(
  client: Queryable,
  { draft, people }: PolicySigning,
  { organizationId, today }: SigningReading,
): Promise<void> {
  const { findings } = await lintDraft(client, draft.policy, { organizationId, people, today });
  if (findings.some(forbidsPublishing)) {
    throw refuseToSign(
      "This version cannot be published: see what must be changed in the draft. Nothing was signed.",
    );
  }
}

function whyNot({ draft, signatures }: PolicySigning, memberId: string): string {
  if (signatures.some((signature) => signature.memberId === memberId)) {
    return "You have signed this version already.";
  }
  return draft.begunBy === memberId
    ? "You asked for these signatures, so yours does not count. Nothing was signed."
    : "Your signature is not needed for this version now. Nothing was signed.";
}

async function begin(
  client: Queryable,
  context: Context<MemberActor>,
  signing: PolicySigning,
): Promise<void> {
  const { organizationId, actor, now } = context;
  const { version, revision } = signing.draft;
  const { rows } = await client.query<{ hasBegun: boolean }>({
    name: "begin_policy_signing",
    text: `select begin_policy_signing($1) as "hasBegun"`,
    values: [
      JSON.stringify({
        organizationId,
        userId: actor.id,
        version,
        revision,
        now,
        expiresAt: new Date(now.getTime() + signing.hours * HOUR_MS),
      }),
    ],
  });
  if (!rows[0]?.hasBegun) throw new Error("A locked draft did not begin to be signed");
}

async function writeSignature(
  client: Queryable,
  { organizationId, actor, now }: Context<MemberActor>,
  { signing, today, confirmed }: { signing: PolicySigning; today: string; confirmed: Confirmed },
): Promise<void> {
  const { draft, inForce, hash } = signing;
  await client.query({
    name: "sign_policy",
    text: "select sign_policy($1)",
    values: [
      JSON.stringify({
        organizationId,
        userId: actor.id,
        version: draft.version,
        id: newId(now),
        policyVersions: [inForce.version, draft.version],
        hash,
        digest: hash,
        ...confirmed,
        now,
        day: today,
      }),
    ],
  });
}

async function publish(
  client: Queryable,
  context: Context<MemberActor>,
  { draft, hash }: PolicySigning,
): Promise<void> {
  const { organizationId, now } = context;
  await client.query({
    name: "publish_policy",
    text: "select publish_policy($1, $2, $3, $4)",
    values: [organizationId, draft.version, hash, now],
  });
  const changeId = await recordPolicy(client, context, draft.version, "PUBLISHED");
  await writeNotice(client, {
    organizationId,
    kind: "POLICY_PUBLISHED",
    subjectId: changeId,
    userId: null,
    digestKey: null,
    now,
  });
}

/** Notifies those whose signature counts now and did not before. */
async function askOthers(
  client: Queryable,
  { organizationId, actor, now }: Context<MemberActor>,
  { changeId, maySign, before }: { changeId: string; maySign: readonly string[]; before: readonly string[] },
): Promise<void> {
  for (const userId of maySign) {
    if (userId === actor.id || before.includes(userId)) continue;
    await writeNotice(client, {
      organizationId,
      kind: "POLICY_SIGNATURE_ASKED",
      subjectId: changeId,
      userId,
      digestKey: null,
      now,
    });
  }
}

/**
 * Takes the member's own signature back. Without any left, the version is a draft again. Without a confirmation: it only
 * keeps what is in force.
 * @throws AppError `INVALID_PARAMETERS` if there is none to take back.
 */
export async function withdrawPolicySignature(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  version: number,
): Promise<void> {
  const { organizationId, actor, now } = context;
  await inTransaction(services.pool, async (client) => {
    await lockOrganization(client, organizationId);
    const { rows } = await client.query<{ isWithdrawn: boolean }>({
      name: "withdraw_policy_signature",
      text: `select withdraw_policy_signature($1, $2, $3, $4) as "isWithdrawn"`,
      values: [organizationId, version, actor.id, now],
    });
    if (!rows[0]?.isWithdrawn) {
      throw new AppError("INVALID_PARAMETERS", "There is no signature of yours to withdraw anymore.");
    }
    await recordPolicy(client, context, version, "WITHDREW");
  });
}
