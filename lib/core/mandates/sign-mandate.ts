import { createHash } from "node:crypto";
import type { ConfirmationRequest } from "@/lib/contract/confirmation/decision";
import type {
  MandateSignInput,
  MandateSignResult,
  MandateSignSubject,
} from "@/lib/contract/mandates/signing";
import { type Mandate, readMandate } from "@/lib/core/mandates/read-mandates";
import { readMandateRequirements } from "@/lib/core/mandates/read-requirements";
import { recordMandate } from "@/lib/core/mandates/record-mandate";
import { readTimeZone } from "@/lib/core/organizations/read-time-zone";
import { type PolicyPerson, readPolicyPeople } from "@/lib/core/policies/read-people";
import type { PolicyVersion } from "@/lib/core/policies/read-policy";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { requireDecider } from "@/lib/core/shared/roles";
import { writeNotice } from "@/lib/core/shared/write-notice";
import type { Confirmed } from "@/lib/core/sign-in/confirmation";
import {
  beginSignature,
  changedSince,
  refuseToSign,
  type Signed,
  type SignServices,
  sign,
} from "@/lib/core/sign-in/sign";
import type { Queryable } from "@/lib/db/transaction";
import type { MandateRequirement } from "@/lib/engine/mandates/requirements-of-mandate";
import { type Progress, progressOf } from "@/lib/engine/policies/progress-of";
import { calendarDate } from "@/lib/engine/schedule/calendar-day";
import { newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";

/** A person's signature under a mandate as it is now. */
export interface MandateSignature {
  memberId: string;
  name: string;
  at: Date;
  /** In the organization's time zone. */
  on: string;
}

/** A mandate with what its signatures need and have. */
export interface MandateSigning {
  mandate: Mandate;
  /** What a signature binds to: terms, revision, key, the versions of its payees and of the policy. */
  hash: string;
  requirements: MandateRequirement[];
  signatures: MandateSignature[];
  people: PolicyPerson[];
  progress: Progress;
  /** Of its destinations that are payees, by id. */
  payeeVersions: Readonly<Record<string, number>>;
  policyVersion: number;
  /** Whether it can be signed now: it waits, or has to be signed again. */
  isOpen: boolean;
}

interface SigningSetting {
  organizationId: string;
  /** Business time. */
  now: Date;
}

/** Null: the organization has no such mandate. */
export async function readMandateSigning(
  database: Queryable,
  { organizationId, now }: SigningSetting,
  id: string,
): Promise<MandateSigning | null> {
  const mandate = await readMandate(database, { organizationId, now }, id);
  if (!mandate) return null;
  const { inForce, requirements } = await readMandateRequirements(database, { organizationId, now }, mandate);
  const people = await readPolicyPeople(database, organizationId);
  const requesterMemberIds = await readRequesters(database, organizationId, mandate);
  const payeeVersions = await readPayeeVersions(
    database,
    organizationId,
    mandate.terms.destinationAccountIds,
  );
  const hash = hashOf(mandate, payeeVersions, inForce);
  const signatures = await readSignatures(database, organizationId, id, hash);
  const progress = progressOf(
    requirements.map(({ requirement }) => requirement),
    {
      signatures,
      people,
      requesterMemberIds,
      today: calendarDate(now, await readTimeZone(database, organizationId)),
    },
  );
  const hasToBeSignedAgain =
    mandate.stoppedBy === "SIGNATURES" || mandate.stoppedBy === "DESTINATION_CHANGED";
  return {
    mandate,
    hash,
    requirements,
    signatures,
    people,
    progress,
    payeeVersions,
    policyVersion: inForce.version,
    isOpen:
      (mandate.state === "WAITING" && !mandate.isExpired) ||
      (mandate.state === "IN_FORCE" && hasToBeSignedAgain),
  };
}

function hashOf(
  { id, apiKeyId, revision, terms, timeZone }: Mandate,
  payeeVersions: Readonly<Record<string, number>>,
  { version, policy }: PolicyVersion,
): string {
  const payees = Object.entries(payeeVersions).sort(([left], [right]) => (left < right ? -1 : 1));
  const seen = [id, apiKeyId, revision, terms, timeZone, payees, version, policy];
  return createHash("sha256").update(JSON.stringify(seen)).digest("base64url");
}

/** Read as `changed_destination` compares them. */
async function readPayeeVersions(
  database: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<Record<string, number>> {
  const { rows } = await database.query<{ id: string; version: number }>({
    name: "read_payee_versions_of_mandate",
    text: "select id, version from payees where organization_id = $1 and id = any ($2) order by id",
    values: [organizationId, ids],
  });
  return Object.fromEntries(rows.map(({ id, version }) => [id, version]));
}

/**
 * Who counts as its requester: who wrote it, who changed it to let more through (else a second member could rewrite it and
 * sign it alone), and who made the key and so knows its secret.
 */
async function readRequesters(
  database: Queryable,
  organizationId: string,
  { id, apiKeyId, proposedBy }: Mandate,
): Promise<string[]> {
  const { rows } = await database.query<{ memberId: string }>({
    name: "read_requesters_of_mandate",
    text: `
      select created_by as "memberId" from api_keys where organization_id = $1 and id = $2
      union
      select changed_by from organization_changes
       where organization_id = $1 and id > $3::uuid and kind = 'MANDATE' and subject = $3::uuid::text
         and value_after = 'CHANGED'`,
    values: [organizationId, apiKeyId, id],
  });
  const members = rows.map(({ memberId }) => memberId);
  return proposedBy.kind === "MEMBER" ? [...members, proposedBy.id] : members;
}

async function readSignatures(
  database: Queryable,
  organizationId: string,
  mandateId: string,
  hash: string,
): Promise<MandateSignature[]> {
  const { rows } = await database.query<MandateSignature>({
    name: "read_mandate_signatures",
    text: `select s.user_id as "memberId", u.name, s.signed_at as at, s.signed_on::text as "on"
      from signatures s join users u on u.id = s.user_id
     where s.organization_id = $1 and s.subject_kind = 'MANDATE' and s.subject_id = $2 and s.subject_hash = $3
       and s.withdrawn_at is null
     order by s.signed_at, s.id limit 100`,
    values: [organizationId, mandateId, hash],
  });
  return rows;
}

const signed = ({ id, hash }: MandateSignSubject): Signed => ({
  what: "a mandate",
  text: `mandate ${id} ${hash}`,
});

/** How this member must confirm a signature, with its challenge. Does not check whether they may sign. */
export function beginMandateSignature(
  services: Pick<Services, "pool" | "clock" | "appUrl">,
  actor: MemberActor,
  subject: MandateSignSubject,
): Promise<ConfirmationRequest> {
  return beginSignature(services, actor, signed(subject));
}

/**
 * Signs a mandate as it was shown; the last signature puts it in force in the same transaction, and is announced to everyone
 * who decides. What it binds to and whose signature counts is read again under the locks of the organization, the key and
 * the mandate.
 */
export function signMandate(
  services: SignServices,
  context: Context<MemberActor>,
  { confirmation, ...subject }: MandateSignInput,
): Promise<MandateSignResult> {
  return sign<MandateSignResult>(
    services,
    context,
    { ...signed(subject), confirmation },
    async (client, confirmed) => {
      await requireDecider(client, context, "sign a mandate");
      await lockMandate(client, context, subject.id);
      return signLocked(client, context, subject, confirmed);
    },
  );
}

/** The key first, as a use of the mandate locks them. */
async function lockMandate(client: Queryable, { organizationId }: Context, id: string): Promise<void> {
  await client.query({
    name: "keep_key_of_mandate",
    text: `select from api_keys where organization_id = $1
             and id = (select api_key_id from mandates where organization_id = $1 and id = $2) for key share`,
    values: [organizationId, id],
  });
  await client.query({
    name: "lock_mandate",
    text: "select lock_mandate($1, $2)",
    values: [organizationId, id],
  });
}

async function signLocked(
  client: Queryable,
  context: Context<MemberActor>,
  { id, hash }: MandateSignSubject,
  confirmed: Confirmed,
): Promise<MandateSignResult> {
  const { organizationId, actor, now } = context;
  const signing = await readMandateSigning(client, context, id);
  if (!signing?.isOpen) {
    throw refuseToSign(
      "This mandate was ended, denied or signed in the meantime, or its time is over. Nothing was signed.",
    );
  }
  if (signing.hash !== hash) {
    throw changedSince("Its terms, a payee, or who must approve was changed after this page was loaded.");
  }
  const { mandate, progress, signatures, policyVersion, payeeVersions } = signing;
  if (!progress.maySign.includes(actor.id)) throw refuseToSign(whyNot(signing, actor.id));
  const isLast = progress.wouldComplete.includes(actor.id);
  const today = calendarDate(now, await readTimeZone(client, organizationId));
  await client.query({
    name: "sign_mandate",
    text: "select sign_mandate($1)",
    values: [
      JSON.stringify({
        organizationId,
        userId: actor.id,
        mandateId: mandate.id,
        id: newId(now),
        policyVersion,
        hash,
        payeeVersions,
        ...confirmed,
        now,
        day: today,
        isLast,
      }),
    ],
  });
  const changeId = await recordMandate(client, context, id, isLast ? "IN_FORCE" : "SIGNED");
  if (isLast) {
    await announce(client, context, { kind: "MANDATE_SIGNED", changeId, userId: null });
    return { kind: "IN_FORCE" };
  }
  const signed = new Set([actor.id, ...signatures.map(({ memberId }) => memberId)]);
  const after = await readMandateSigning(client, context, id);
  for (const userId of after?.progress.maySign ?? []) {
    if (!signed.has(userId)) await announce(client, context, { kind: "MANDATE_ASKED", changeId, userId });
  }
  return { kind: "SIGNED" };
}

function whyNot({ signatures, requirements }: MandateSigning, memberId: string): string {
  if (signatures.some((signature) => signature.memberId === memberId)) {
    return "You have signed this mandate already.";
  }
  const others = requirements.some(({ requirement }) => !requirement.requesterCounts);
  return others
    ? "Your signature does not count here: who must approve asks for others than who made the key, wrote this or let it move more. Nothing was signed."
    : "Your signature is not needed for this mandate now. Nothing was signed.";
}

async function announce(
  client: Queryable,
  { organizationId, now }: Context,
  notice: { kind: "MANDATE_SIGNED" | "MANDATE_ASKED"; changeId: string; userId: string | null },
): Promise<void> {
  await writeNotice(client, {
    organizationId,
    kind: notice.kind,
    subjectId: notice.changeId,
    userId: notice.userId,
    digestKey: null,
    now,
  });
}
