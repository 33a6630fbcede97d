import { createHash } from "node:crypto";
import type { WantedConfirmation } from "@/lib/contract/policies/asked-change";
import { readTimeZone } from "@/lib/core/organizations/read-time-zone";
import { deadlinesOf } from "@/lib/core/policies/deadlines";
import type { MatchedVersion } from "@/lib/core/policies/match-proposal";
import { type PolicyPerson, readPolicyPeople } from "@/lib/core/policies/read-people";
import { readPolicyInForce } from "@/lib/core/policies/read-policy";
import { readReplacedKeys } from "@/lib/core/policies/replaced-keys";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import type { ConfirmationMethod } from "@/lib/core/sign-in/confirmation";
import type { Queryable } from "@/lib/db/transaction";
import { matchPolicy, type PolicyFacts } from "@/lib/engine/policies/match-policy";
import { type Progress, progressOf, type WhyNot, whyNot } from "@/lib/engine/policies/progress-of";
import { calendarDate } from "@/lib/engine/schedule/calendar-day";
import { newId } from "@/lib/platform/ids";
import { WHY_NOT_WORDS } from "@/lib/words/signing-words";

/**
 * What lets money move later without being a movement itself, and waits until a person confirms it: a payee's account, a
 * version of a rule, or a limit that lets more through. A policy may ask several people for it
 * (docs/behavior/policies.md, "Payees and rules" and "Limits and keys").
 */
export interface SignedChange
  extends Pick<PolicyFacts, "payee" | "sourceAccountIds" | "destinationAccountIds" | "requester"> {
  kind: "PAYEE" | "RULE" | "LIMIT" | "KEY";
  /** Of the payee's details, of the rule, or of the change that was asked for. */
  subjectId: string;
  /** Of a rule. */
  version?: number;
  /** All that a signature binds to: a signature under anything else counts nowhere. */
  signed: readonly unknown[];
}

/** A person's signature under the change as it is now. */
export interface ChangeSignature {
  memberId: string;
  memberName: string;
  at: Date;
  /** In the organization's time zone. */
  on: string;
  method: ConfirmationMethod;
}

/** What the policy in force asks for a change, and has. */
export interface ChangeSigning {
  ask: MatchedVersion;
  signatures: ChangeSignature[];
  people: PolicyPerson[];
  progress: Progress;
  hash: string;
  /**
   * Until when its signatures may come; null: none has been given yet, or they were given before that was stored. A change that
   * was asked for has its own time.
   */
  expiresAt: Date | null;
  /** In the organization's time zone. */
  today: string;
  /** Why a member's signature would not count now; null: it would. */
  whyNot: (memberId: string) => WhyNot | null;
}

interface Where {
  organizationId: string;
  /** Business time. */
  now: Date;
}

/**
 * Null: no policy was published, and one owner or co-owner confirms alone. What was asked for itself has signatures without
 * a policy, too.
 */
export async function readChangeSigning(
  database: Queryable,
  { organizationId, now }: Where,
  change: SignedChange,
): Promise<ChangeSigning | null> {
  const { version, policy } = await readPolicyInForce(database, organizationId);
  if (version === 0 && (change.kind === "PAYEE" || change.kind === "RULE")) return null;
  const { requester, ...parties } = change;
  const replacedIds = await readReplacedKeys({ database, organizationId }, [{ policy }], requester);
  const matched = matchPolicy(policy, {
    kind: change.kind,
    payee: parties.payee,
    sourceAccountIds: parties.sourceAccountIds,
    destinationAccountIds: parties.destinationAccountIds,
    requester: { ...requester, replacedIds },
    // It moves nothing itself.
    amountInCents: 0,
    windowSums: () => 0,
    directions: [],
  });
  const hash = createHash("sha256").update(JSON.stringify(change.signed)).digest("base64url");
  const people = await readPolicyPeople(database, organizationId);
  const time = await readTime(database, organizationId, change, hash);
  const isOver = time !== null && time.expiresAt <= now;
  const signatures = isOver ? [] : await readSignatures(database, organizationId, change, hash);
  const today = calendarDate(now, await readTimeZone(database, organizationId));
  const facts = { signatures, people, requesterMemberIds: requester.memberIds, today };
  return {
    ask: { version, ...matched },
    signatures,
    people,
    progress: progressOf([matched.requirement], facts),
    hash,
    expiresAt: isOver ? null : (time?.expiresAt ?? null),
    today,
    whyNot: (memberId) => whyNot([matched.requirement], facts, memberId),
  };
}

/** Since the first signature under this text; null: none is stored, or the change holds its own time. */
async function readTime(
  database: Queryable,
  organizationId: string,
  { kind, subjectId }: SignedChange,
  hash: string,
): Promise<{ id: string; expiresAt: Date } | null> {
  if (kind === "LIMIT" || kind === "KEY") return null;
  const { rows } = await database.query<{ id: string; expiresAt: Date }>({
    name: "read_time_of_signatures",
    text: `select id, expires_at as "expiresAt" from asked_changes
            where organization_id = $1 and what = $2 and target_id = $3 and state = 'WAITING' and wanted ->> 'hash' = $4`,
    values: [organizationId, kind, subjectId, hash],
  });
  return rows[0] ?? null;
}

async function readSignatures(
  database: Queryable,
  organizationId: string,
  { kind, subjectId }: SignedChange,
  hash: string,
): Promise<ChangeSignature[]> {
  const { rows } = await database.query<ChangeSignature>({
    name: "read_change_signatures",
    text: `select s.user_id as "memberId", u.name as "memberName", s.signed_at as at, s.signed_on::text as "on",
        s.method
      from signatures s join users u on u.id = s.user_id
     where s.organization_id = $1 and s.subject_kind = $2 and s.subject_id = $3 and s.subject_hash = $4
       and s.withdrawn_at is null
     order by s.signed_at, s.id limit 100`,
    values: [organizationId, kind, subjectId, hash],
  });
  return rows;
}

/** `COMPLETE`: the caller carries the change out, in this transaction. `SIGNED`: others have to sign too. */
export type ChangeSigned =
  | { kind: "COMPLETE" }
  | { kind: "SIGNED"; maySign: string[] }
  | { kind: "REFUSED"; message: string };

/**
 * Counts a member's confirmation as their signature under a change, in the transaction that carries the change out. The
 * caller holds what is changed, so that of two last signatures one completes it.
 */
export async function signChange(
  client: Queryable,
  context: Context<MemberActor>,
  change: SignedChange,
  method: ConfirmationMethod,
): Promise<ChangeSigned> {
  const { organizationId, actor, now } = context;
  const signing = await readChangeSigning(client, context, change);
  if (!signing) return { kind: "COMPLETE" };
  const problem = signing.whyNot(actor.id);
  if (problem !== null) return { kind: "REFUSED", message: WHY_NOT_WORDS[problem] };
  const isLast = signing.progress.wouldComplete.includes(actor.id);
  await client.query({
    name: "sign_change",
    text: "select sign_change($1)",
    values: [
      JSON.stringify({
        organizationId,
        userId: actor.id,
        kind: change.kind,
        subjectId: change.subjectId,
        version: change.version ?? null,
        id: newId(now),
        policyVersion: signing.ask.version,
        hash: signing.hash,
        method,
        passkeyName: null,
        now,
        day: signing.today,
        isLast,
      }),
    ],
  });
  if (isLast) {
    await endTime(client, context, change, signing.hash);
    return { kind: "COMPLETE" };
  }
  if (signing.expiresAt === null) await beginTime(client, context, change, signing);
  const after = await readChangeSigning(client, context, change);
  return { kind: "SIGNED", maySign: after?.progress.maySign ?? [] };
}

/** The first signature of a payee's details or a version: the others have to come within the time that the policy says. */
async function beginTime(
  client: Queryable,
  { organizationId, actor, now }: Context<MemberActor>,
  change: SignedChange,
  { hash, ask }: ChangeSigning,
): Promise<void> {
  const wanted = confirmationOf(change, hash);
  if (wanted === null) return;
  await client.query({
    name: "begin_change_signing",
    text: "select begin_change_signing($1)",
    values: [
      JSON.stringify({
        organizationId,
        userId: actor.id,
        id: newId(now),
        kind: change.kind,
        targetId: change.subjectId,
        wanted,
        ...deadlinesOf(now, ask.requirement.expiresAfterHours),
        now,
      }),
    ],
  });
}

function confirmationOf(
  { kind, subjectId, version, destinationAccountIds }: SignedChange,
  hash: string,
): WantedConfirmation | null {
  const [payeeId] = destinationAccountIds;
  if (kind === "PAYEE" && payeeId !== undefined) return { what: "PAYEE", payeeId, hash };
  if (kind === "RULE" && version !== undefined) return { what: "RULE", ruleId: subjectId, version, hash };
  return null;
}

async function endTime(
  client: Queryable,
  { organizationId, actor, now }: Context<MemberActor>,
  change: SignedChange,
  hash: string,
): Promise<void> {
  const time = await readTime(client, organizationId, change, hash);
  if (time === null) return;
  await client.query({
    name: "end_time_of_signatures",
    text: "select end_asked_change($1, $2, $3, $4, $5)",
    values: [organizationId, time.id, time.expiresAt > now ? "DONE" : "OUTDATED", actor.id, now],
  });
}
