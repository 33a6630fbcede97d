import { createHash } from "node:crypto";
import type { BatchSubject, DecideBatchInput } from "@/lib/contract/approvals/batch";
import { moneyDigest } from "@/lib/contract/approvals/batch-money";
import { bankingDayAt } from "@/lib/contract/banking-days";
import type { ConfirmationRequest, DecideResult } from "@/lib/contract/confirmation/decision";
import { writeCents } from "@/lib/contract/format-cents";
import {
  type BatchFacts,
  type BatchLineFacts,
  checksOfLine,
  digestOfLine,
  moneyOfLines,
  readBatchFacts,
} from "@/lib/core/approvals/batches/batch-facts";
import { asksDigest, headOf, readBatchSigning } from "@/lib/core/approvals/batches/batch-signing";
import {
  type Confirmed,
  closedResult,
  type Locked,
  MAY_NOT_DECIDE,
  parseStated,
  type Stated,
  Undecided,
} from "@/lib/core/approvals/decide-proposal";
import { describeChanges } from "@/lib/core/approvals/digest";
import { versionsOf } from "@/lib/core/approvals/proposal-policy";
import { signProposal } from "@/lib/core/approvals/sign-proposal";
import type { Signing } from "@/lib/core/approvals/signing";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { mayDecide } from "@/lib/core/shared/permits";
import { BOOK_TRANSFERS, DELIVER_EVENTS, RUN_RULES, SEND_NOTICES } from "@/lib/core/shared/work-names";
import { type ChallengeScope, memberScope } from "@/lib/core/sign-in/challenge";
import {
  beginConfirmationOf,
  spendConfirmation,
  verifyConfirmationOf,
} from "@/lib/core/sign-in/confirmation";
import { NotConfirmed } from "@/lib/core/sign-in/not-confirmed";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";
import { incrementCounter } from "@/lib/platform/observe/counters";
import type { Services } from "@/lib/platform/services";
import { missingWords, WHY_NOT_WORDS } from "@/lib/words/signing-words";

/** A challenge for these lines as shown fits no other lines, no other strikes and no other reason. */
function batchScope(actor: Pick<MemberActor, "id" | "sessionId">, subject: BatchSubject): ChallengeScope {
  const { batchId, decision, reason } = subject;
  const stated = reason && [reason.kind, reason.text, reason.notBefore];
  const lines = subject.lines.map(({ transferId, digest }) => [transferId, digest]);
  // A denial confirms nothing about what was shown.
  const shown = decision === "APPROVE" ? [lines, subject.struckIds, subject.money, subject.asks] : [];
  const hash = createHash("sha256")
    .update(JSON.stringify([batchId, decision, shown, stated]))
    .digest("base64url");
  return memberScope("DECIDE", actor, `BATCH ${hash}`);
}

/** How this member must confirm the decision of a batch, with its challenge. Decides nothing. */
export function beginBatch(
  services: Pick<Services, "pool" | "clock" | "appUrl">,
  actor: MemberActor,
  subject: BatchSubject,
): Promise<ConfirmationRequest> {
  return beginConfirmationOf(services, actor, batchScope(actor, subject));
}

/**
 * Decides a batch with one confirmation in one transaction (docs/behavior/approvals.md, "Batches"): the lines that were
 * signed are accepted, all or none, and those that were struck out are denied. If one cannot be accepted, nothing is decided.
 * Under a policy that asks for more people, all confirmations but the last only sign, and strike out.
 */
export async function decideBatch(
  services: Services,
  context: Context<MemberActor>,
  input: DecideBatchInput,
): Promise<DecideResult> {
  if (!mayDecide(context.actor)) return MAY_NOT_DECIDE;
  const deniesAny = input.decision === "DENY" || input.struckIds.length > 0;
  const stated = await parseStated(services, context, deniesAny ? input : null);
  if ("problem" in stated) return { kind: "NOT_CONFIRMED", message: stated.problem };
  try {
    // Before the transaction: a password hash is slow on purpose, and failed attempts must be counted despite a rollback.
    const scope = batchScope(context.actor, input);
    const confirmation = await verifyConfirmationOf(services, context.actor, scope, input.confirmation);
    const counts = await inTransaction(services.pool, async (client) =>
      decideLocked(client, context, input, { ...stated, ...(await spendConfirmation(client, confirmation)) }),
    );
    if ("kind" in counts) {
      services.wake(SEND_NOTICES);
      return counts;
    }
    for (const work of [SEND_NOTICES, DELIVER_EVENTS, RUN_RULES, BOOK_TRANSFERS]) services.wake(work);
    incrementCounter("transfers", "APPROVED", counts.approved);
    incrementCounter("transfers", "DENIED", counts.denied);
    return { kind: "DECIDED" };
  } catch (error) {
    if (error instanceof Undecided) return error.result;
    if (error instanceof NotConfirmed) return { kind: "NOT_CONFIRMED", message: error.message };
    throw error;
  }
}

async function decideLocked(
  client: Queryable,
  context: Context<MemberActor>,
  input: BatchSubject,
  stated: Stated & Confirmed,
): Promise<{ approved: number; denied: number } | Signed> {
  const approvedIds = input.decision === "APPROVE" ? input.lines.map(({ transferId }) => transferId) : [];
  const locked = await lockBatch(client, context, input.batchId, approvedIds);
  const closed = closedResult(locked, context.now);
  if (closed) throw new Undecided(closed);
  const approved = new Map<string, string>();
  let policyVersions: number[] | undefined;
  if (input.decision === "APPROVE") {
    requireSameLines(input, locked.lineIds);
    const { facts, signed } = await requireSeen(client, context, input);
    for (const line of signed) approved.set(line.facts.id, digestOfLine(line));
    const where = { database: client, organizationId: context.organizationId, now: context.now };
    if (asksDigest(await readBatchSigning(where, facts)) !== input.asks) throw new Undecided(OTHERS_SIGN);
    const signing = await readBatchSigning(where, facts, signed);
    if (signing) {
      const waiting = await signIfNeeded(client, context, { input, facts, signing, confirmed: stated });
      if (waiting) return waiting;
      policyVersions = versionsOf(signing.policy);
    }
  }
  await writeBatchDecision(client, context, input.batchId, approved, { ...stated, policyVersions });
  return { approved: approved.size, denied: locked.lineIds.length - approved.size };
}

const OTHERS_SIGN = {
  kind: "CHANGED" as const,
  changes: ["Who must sign it changed. See the signatures."],
};

type Signed = Extract<DecideResult, { kind: "SIGNED" }>;

interface SignedBatch {
  input: BatchSubject;
  facts: BatchFacts;
  signing: Signing;
  confirmed: Confirmed;
}

/**
 * Records the signature of an approval under a policy; if others have to sign too, with what it strikes out.
 * @returns null if every requirement is met with it, so that the decision follows
 * @throws Undecided if this member's signature would not count
 */
async function signIfNeeded(
  client: Queryable,
  context: Context<MemberActor>,
  { input, facts, signing, confirmed: { method, passkeyName } }: SignedBatch,
): Promise<Signed | null> {
  const { organizationId, actor, now } = context;
  // A sandbox's test person decides no batch.
  if (method === "TEST_PERSON") throw new Error("A batch is signed by a person");
  const why = signing.whyNot(actor.id);
  if (why) throw new Undecided({ kind: "REFUSED", message: `${WHY_NOT_WORDS[why]} Nothing was decided.` });
  const decides = signing.progress.wouldComplete.includes(actor.id);
  const digest = createHash("sha256").update(JSON.stringify(input.lines)).digest("base64url");
  const given = { digest, method, passkeyName, decides };
  await signProposal(client, context, headOf(facts).facts.id, signing, given);
  if (decides) return null;
  await client.query({
    name: "strike_batch_lines",
    text: "select strike_batch_lines($1, $2, $3, $4)",
    values: [organizationId, facts.id, input.struckIds, actor.id],
  });
  const after = await readBatchFacts(client, organizationId, facts.id, now);
  if (!after) throw new Error("A signed batch has no facts");
  const rest = await readBatchSigning({ database: client, organizationId, now }, after);
  return { kind: "SIGNED", waitsFor: rest ? missingWords(rest.progress, rest.policy.people) : "" };
}

/** Every line is either signed or struck out, and each once. */
function requireSameLines({ lines, struckIds }: BatchSubject, lineIds: readonly string[]): void {
  const given = [...lines.map(({ transferId }) => transferId), ...struckIds];
  const known = new Set(lineIds);
  const isWhole = given.length === lineIds.length && new Set(given).size === given.length;
  if (lines.length > 0 && isWhole && given.every((id) => known.has(id))) return;
  throw new Undecided({
    kind: "REFUSED",
    message: "These are not the lines of this batch. Reload the page. Nothing was decided.",
  });
}

/**
 * Recomputes what was shown, under the locks.
 * @returns the facts, and of them the signed lines
 * @throws Undecided if another signer struck out a signed line, if a signed line or what they take together differs, or if there is not enough money for them.
 */
async function requireSeen(
  client: Queryable,
  context: Context<MemberActor>,
  input: BatchSubject,
): Promise<{ facts: BatchFacts; signed: BatchLineFacts[] }> {
  const facts = await readBatchFacts(client, context.organizationId, input.batchId, context.now);
  if (!facts) throw new Error("A locked batch has no facts");
  const seen = new Map(input.lines.map(({ transferId, digest }) => [transferId, digest]));
  const signed = facts.lines.filter((line) => seen.has(line.facts.id));
  const changes = signed.flatMap((line) => changesOf(line, seen.get(line.facts.id) ?? ""));
  const money = moneyOfLines(facts, signed);
  const blocked = blockedWords(facts, money);
  if (changes.length > 0) throw new Undecided({ kind: "CHANGED", changes: changes.slice(0, LISTED_CHANGES) });
  if (blocked !== null) throw new Undecided({ kind: "WOULD_FAIL", message: blocked });
  if (moneyDigest(money) !== input.money) {
    throw new Undecided({
      kind: "CHANGED",
      changes: ["What the accounts hold afterwards changed. See the checks."],
    });
  }
  return { facts, signed };
}

const LISTED_CHANGES = 10;

function changesOf(line: BatchLineFacts, digest: string): string[] {
  if (line.struckBy) return [`Line ${line.line}: ${line.struckBy.name} struck it out.`];
  if (digestOfLine(line) === digest) return [];
  return describeChanges(digest, line.facts, checksOfLine(line)).map(
    (change) => `Line ${line.line}: ${change}`,
  );
}

/** Why the lines cannot be accepted together, naming the first for which it is not enough; null: they can. */
function blockedWords(
  facts: BatchFacts,
  { sources, outgoing }: ReturnType<typeof moneyOfLines>,
): string | null {
  const short = sources.find(({ shortAtLine }) => shortAtLine !== null);
  if (short) {
    const line = facts.lines.find((one) => one.line === short.shortAtLine);
    const amount = line ? writeCents(line.facts.amountInCents) : "its amount";
    return `Line ${short.shortAtLine}: ${short.accountName} does not have ${amount} left for it. Strike out lines, or wait. Nothing was decided.`;
  }
  if (outgoing?.outcome !== "BLOCKS") return null;
  return `These lines would exceed what may leave Sluice within 24 hours: ${writeCents(outgoing.leftInCents)} is left. Nothing was decided.`;
}

const FAILURES: Record<string, string | undefined> = {
  INSUFFICIENT_FUNDS: "there is not enough money left for it",
  ABOVE_OUTGOING_CAP: "it would exceed what may leave Sluice within 24 hours",
  ACCOUNT_CLOSED: "one of its accounts was closed",
  BALANCE_UNAVAILABLE: "the balance of its source is unknown at the moment",
};

interface LockedBatch extends Locked {
  /** In the order of their numbers; null if there is no such batch. */
  lineIds: string[];
}

async function lockBatch(
  client: Queryable,
  context: Context<MemberActor>,
  batchId: string,
  approvedIds: readonly string[],
): Promise<LockedBatch> {
  const { rows } = await client.query<Locked & { lineIds: string[] | null }>({
    name: "lock_batch",
    text: `select are_gates_open as "areGatesOpen", role, state, expires_at as "expiresAt",
        key_has_ended as "keyHasEnded", decided_at as "decidedAt", decided_by_name as "decidedByName",
        line_ids as "lineIds"
      from lock_batch($1, $2, $3, $4, $5)`,
    values: [context.organizationId, batchId, context.actor.id, approvedIds, context.now],
  });
  const locked = rows[0];
  if (!locked) throw new Error("lock_batch answered nothing");
  return { ...locked, lineIds: locked.lineIds ?? [] };
}

interface WrittenBatch extends Stated, Confirmed {
  /** Whose requirements are met, of an approval under a policy; unset: one decider decides. */
  policyVersions: readonly number[] | undefined;
}

/** @throws Undecided, to be rolled back, if one of the approved lines cannot be accepted. */
async function writeBatchDecision(
  client: Queryable,
  { organizationId, actor, now }: Context<MemberActor>,
  batchId: string,
  approved: ReadonlyMap<string, string>,
  { note, reason, method, passkeyName, policyVersions }: WrittenBatch,
): Promise<void> {
  const { rows } = await client.query<{ failed: { line: number; errorCode: string } | null }>({
    name: "decide_batch",
    text: "select decide_batch($1) as failed",
    values: [
      JSON.stringify({
        organizationId,
        batchId,
        userId: actor.id,
        approved: Object.fromEntries(approved),
        method,
        passkeyName,
        note,
        reason,
        ...(policyVersions && { policyVersions }),
        noticeId: newId(now),
        expectedCompletionDate: bankingDayAt(now),
        now,
      }),
    ],
  });
  const failed = rows[0]?.failed;
  if (!failed) return;
  const why = FAILURES[failed.errorCode] ?? `it would fail with ${failed.errorCode}`;
  throw new Undecided({ kind: "WOULD_FAIL", message: `Line ${failed.line}: ${why}. Nothing was decided.` });
}
