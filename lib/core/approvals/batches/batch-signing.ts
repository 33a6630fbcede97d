import { createHash } from "node:crypto";
import type { Approvals } from "@/lib/contract/approvals/signatures";
import { approvalsOf } from "@/lib/core/approvals/approvals-for-programs";
import {
  type BatchFacts,
  type BatchLineFacts,
  readBatchFacts,
  unstruckLines,
} from "@/lib/core/approvals/batches/batch-facts";
import { signedSubjectHash } from "@/lib/core/approvals/digest";
import { movesOfTransfer, policySubject } from "@/lib/core/approvals/policy-subject";
import { readProposalPolicy, versionsOf } from "@/lib/core/approvals/proposal-policy";
import { type Signing, toSigning } from "@/lib/core/approvals/signing";
import type { BatchPolicySubject, PolicyPart } from "@/lib/core/policies/match-proposal";
import type { Context } from "@/lib/core/shared/context";
import type { Queryable } from "@/lib/db/transaction";

interface Where {
  database: Queryable;
  organizationId: string;
  /** Business time. */
  now: Date;
}

/** The first line. Signatures of the batch are stored under its id, and lists and notices show it; it may be struck out. */
export function headOf({ lines }: BatchFacts): BatchLineFacts {
  const [head] = lines;
  if (!head) throw new Error("A batch has no lines");
  return head;
}

/**
 * The signatures of a batch, and what is missing; null without a policy: one decider decides. What a signer strikes out
 * still counts for who must sign with them: no fewer signatures decide than their page showed.
 * @param signed the lines that are signed now; by default all that nobody has struck out
 */
export async function readBatchSigning(
  where: Where,
  batch: BatchFacts,
  signed: readonly BatchLineFacts[] = unstruckLines(batch),
): Promise<Signing | null> {
  const head = headOf(batch).facts;
  if (head.policyVersions.atBirth === null && head.policyVersions.inForce === null) return null;
  const policy = await readProposalPolicy(where, subjectOf(batch, signed));
  return toSigning(policy, signedBatchHash(batch, signed, versionsOf(policy)));
}

/** Which rules of which versions say who must sign, as a member sees it and signs; empty without a policy. */
export function asksDigest(signing: Signing | null): string {
  return (signing?.policy.asks ?? [])
    .map(({ version, ruleIndex }) => `${version}:${ruleIndex ?? "otherwise"}`)
    .join(",");
}

function subjectOf(batch: BatchFacts, signed: readonly BatchLineFacts[]): BatchPolicySubject {
  const head = headOf(batch).facts;
  const shown = unstruckLines(batch);
  const whole = partOf(shown);
  const payees = shown.flatMap(({ facts }) => facts.payees);
  return {
    ...policySubject(head, payees, "TRANSFER", whole.moves),
    lineIds: batch.lines.map(({ facts }) => facts.id),
    parts: [whole, partOf(signed), ...shown.map((line) => partOf([line]))],
  };
}

function partOf(lines: readonly BatchLineFacts[]): PolicyPart {
  return {
    moves: lines.flatMap(({ facts }) => movesOfTransfer(facts)),
    novelties: lines.flatMap(({ facts }) => facts.payees.map(({ novelty }) => novelty)),
  };
}

/** What a signature binds to: exactly these lines, and the versions of the policy. */
function signedBatchHash(
  { id, reason }: BatchFacts,
  signed: readonly BatchLineFacts[],
  policyVersions: readonly number[],
): string {
  const lines = signed.map(({ line, facts }) => [line, signedSubjectHash(facts)]);
  return createHash("sha256")
    .update(JSON.stringify({ id, reason, lines, policyVersions }))
    .digest("base64url");
}

/** Whose signatures a batch needs and has, without names; null without a policy. */
export async function readBatchApprovals(
  database: Queryable,
  { organizationId, now }: Pick<Context, "organizationId" | "now">,
  batchId: string,
): Promise<Approvals | null> {
  const batch = await readBatchFacts(database, organizationId, batchId, now);
  return (
    batch && approvalsOf(await readBatchSigning({ database, organizationId, now }, batch), batch.expiresAt)
  );
}

/** `readBatchApprovals` of a line that no longer waits; null for one of a batch that nobody had to sign, and for no line. */
export async function readApprovalsOfLine(
  database: Queryable,
  context: Pick<Context, "organizationId" | "now">,
  transferId: string,
): Promise<Approvals | null> {
  const { rows } = await database.query<{ batchId: string }>({
    name: "find_signed_batch",
    text: `
      select line.batch_id as "batchId" from proposals line
        join proposals head on head.organization_id = $1 and head.batch_id = line.batch_id and head.batch_line = 1
       where line.organization_id = $1 and line.id = $2 and exists (select from signatures s
         where s.organization_id = $1 and s.subject_kind = 'PROPOSAL' and s.subject_id = head.id::text
           and s.withdrawn_at is null)`,
    values: [context.organizationId, transferId],
  });
  return rows[0] ? readBatchApprovals(database, context, rows[0].batchId) : null;
}
