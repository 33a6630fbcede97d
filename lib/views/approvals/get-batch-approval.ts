import { createHash } from "node:crypto";
import { movementHref } from "@/lib/contract/search/movement-search";
import { approvalStatus } from "@/lib/core/approvals/approval-facts";
import {
  type BatchFacts,
  type BatchLineFacts,
  checksOfLine,
  digestOfLine,
  readBatchFacts,
  unstruckLines,
} from "@/lib/core/approvals/batches/batch-facts";
import { asksDigest, headOf, readBatchSigning } from "@/lib/core/approvals/batches/batch-signing";
import { batchStatus } from "@/lib/core/approvals/batches/read-batch";
import { describeKnockOn } from "@/lib/core/approvals/describe-knock-on";
import { transferMoves } from "@/lib/core/approvals/describe-transfer";
import { forecastTogether } from "@/lib/core/approvals/forecast-approval";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import type { Queryable } from "@/lib/db/transaction";
import { describeBatchSigning } from "@/lib/views/approvals/describe-signing";
import { type ApprovalView, describeApproval } from "@/lib/views/approvals/get-approval";
import type { TimedReading } from "@/lib/views/reading";
import { COUNTED_FLAGS, lineFlag } from "@/lib/words/batch-words";

/**
 * The batch with this id, or of which this transfer is a line, as its approval page shows it; null if there is none. Any
 * member may read it; reading decides nothing.
 */
export async function getBatchApproval(reading: TimedReading<"pool" | "clock">, id: string) {
  const { services, context, time } = reading;
  const { pool } = services;
  const batchId = await findBatch(pool, context.organizationId, id);
  const facts = batchId && (await readBatchFacts(pool, context.organizationId, batchId, context.now));
  if (!facts) return null;
  const { organizationId, now } = context;
  const signing = await readBatchSigning({ database: pool, organizationId, now }, facts);
  const paid = unstruckLines(facts).flatMap((line) => line.facts.payees);
  const payees = [...new Map(paid.map((payee) => [payee.id, payee])).values()];
  const signingView = describeBatchSigning(signing, payees, context.actor.id);
  const head = headOf(facts);
  // What all lines share is read of one: of one that was approved, since the first may have been struck out.
  const decided = facts.lines.find((line) => line.facts.state === "APPROVED") ?? head;
  const notifiedOf = head.facts.id;
  const shared = await describeApproval(reading, decided.facts, { signing, signingView, notifiedOf });
  const status = batchStatus(
    facts.lines.map((line) => line.facts),
    facts.expiresAt,
    context.now,
  );
  const sameAccount = await readSameAccounts(pool, context.organizationId, facts);
  const view = {
    id: facts.id,
    shortId: `${facts.id.slice(0, 4)}…${facts.id.slice(-4)}`,
    status,
    /** The caller's words, unchanged; null without any. */
    reason: facts.reason,
    lines: facts.lines.map((line) => describeLine(line, facts, sameAccount, context)),
    accounts: facts.accounts,
    room: facts.room,
    /** For whose sake a member's signature is kept and withdrawn. */
    signedId: head.facts.id,
    /** What the viewer is about to sign; see `BatchSubject.asks`. */
    asks: asksDigest(signing),
    totalInCents: facts.totalInCents,
    /** What rules would move if all lines were approved; null once it does not wait. */
    knockOn: status === "WAITING" ? describeKnockOn(await forecastLines(reading, facts)) : null,
    /** What all lines share, as of one of them: the requester, who decided, and what happened. */
    shared: { ...shared, history: shared.history.filter(({ kind }) => OF_THE_BATCH.has(kind)) },
    createdAt: facts.createdAt.toISOString(),
    expiresAt: facts.expiresAt.toISOString(),
    time,
  };
  return { ...view, version: versionOf(view) };
}

/** Everything that the approval page shows of one batch. */
export type BatchApprovalView = NonNullable<Awaited<ReturnType<typeof getBatchApproval>>>;
export type BatchLineView = BatchApprovalView["lines"][number];

/** What happens to a single line later is on that transfer's page. */
const OF_THE_BATCH: ReadonlySet<ApprovalView["history"][number]["kind"]> = new Set([
  "PROPOSED",
  "NOTIFIED",
  "WAITING",
  "SIGNED",
  "APPROVED",
  "DENIED",
  "EXPIRED",
  "REVOKED",
  "WITHDRAWN",
] as const);

async function findBatch(database: Queryable, organizationId: string, id: string): Promise<string | null> {
  const { rows } = await database.query<{ id: string }>({
    name: "find_batch",
    text: `
      select b.id from transfer_batches b where b.organization_id = $1 and b.id = $2
      union all
      select p.batch_id from proposals p where p.organization_id = $1 and p.id = $2 and p.batch_id is not null`,
    values: [organizationId, id],
  });
  return rows[0]?.id ?? null;
}

/** The key of the bank account of each payee, by id: two payees may be one account. */
async function readSameAccounts(
  database: Queryable,
  organizationId: string,
  { lines }: BatchFacts,
): Promise<Map<string, string>> {
  const { rows } = await database.query<{ id: string; key: string }>({
    name: "read_account_keys_of_payees",
    text: `select id, encode(account_key, 'hex') as key from payees
            where organization_id = $1 and id = any ($2) and account_key is not null`,
    values: [organizationId, lines.map(({ facts }) => facts.destination.id)],
  });
  return new Map(rows.map(({ id, key }) => [id, key]));
}

function describeLine(
  line: BatchLineFacts,
  batch: BatchFacts,
  keys: ReadonlyMap<string, string>,
  { actor, now }: Context<MemberActor>,
) {
  const { facts } = line;
  const accountOf = (other: BatchLineFacts) =>
    keys.get(other.facts.destination.id) ?? other.facts.destination.id;
  const checks = checksOfLine(line);
  return {
    line: line.line,
    transferId: facts.id,
    /** The transfer with its own status and history. */
    href: movementHref("TRANSFERS", facts.id),
    sourceId: facts.source.id,
    sourceName: facts.source.name,
    destinationId: facts.destination.id,
    destinationName: facts.destination.name,
    last4: facts.payees[0]?.accountNumberLast4 ?? null,
    amountInCents: facts.amountInCents,
    description: facts.description,
    status: approvalStatus(facts, now),
    isStruck: facts.state === "DENIED" && batch.lines.some((other) => other.facts.state === "APPROVED"),
    /** Who struck it out and signed the others: `you`, or a name; null: nobody. */
    struckBy: line.struckBy && (line.struckBy.id === actor.id ? "you" : line.struckBy.name),
    errorMessage: facts.errorMessage,
    isNewPayee: facts.payees.some(({ novelty }) => novelty !== null),
    isWithinLimit: checks.every(({ kind, outcome }) => kind !== "KEY_LIMIT" || outcome !== "LOOK"),
    isLikeOther: checks.some((check) => check.kind === "SIMILAR_LATELY" && check.sameAmountCount > 0),
    flags: flagsOf(checks),
    /** Other lines that pay the same account. */
    sameAccountLines: batch.lines
      .filter((other) => other !== line && accountOf(other) === accountOf(line))
      .map((other) => other.line),
    /** What the viewer is about to sign; see `BatchSubject.lines`. */
    digest: digestOfLine(line),
  };
}

/** A payee that was never paid has no route yet either. */
function flagsOf(checks: ReturnType<typeof checksOfLine>): string[] {
  const flags = checks.map(lineFlag).filter((flag) => flag !== null);
  return flags.includes(COUNTED_FLAGS.NEW_PAYEE) ? flags.filter((flag) => flag !== "New route") : flags;
}

function forecastLines({ services, context, time }: TimedReading<"pool">, { lines }: BatchFacts) {
  const subjects = lines.map(({ facts }) => ({ moves: transferMoves(facts), chainDepth: 0 }));
  return forecastTogether(services.pool, context, subjects, time.timeZone);
}

/** Changes with anything the page shows, but not with time alone. */
function versionOf(view: { shared: ApprovalView; time: unknown }): string {
  const { time: _time, shared, ...own } = view;
  const shown = { ...own, shared: shared.version };
  return createHash("sha256").update(JSON.stringify(shown)).digest("base64url").slice(0, 22);
}
