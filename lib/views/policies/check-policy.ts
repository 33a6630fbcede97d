import { createHash } from "node:crypto";
import { z } from "zod";
import type { Policy } from "@/lib/contract/policies/policy";
import { proposalHref } from "@/lib/core/approvals/read-waiting";
import { lintDraft } from "@/lib/core/policies/lint-draft";
import type { PolicyVersion } from "@/lib/core/policies/read-policy";
import { answers } from "@/lib/core/profile/keep-answer";
import { backtestPolicy, isStricter, matchAll } from "@/lib/engine/policies/backtest-policy";
import type { PossibleSigner } from "@/lib/engine/policies/progress-of";
import { calendarDate } from "@/lib/engine/schedule/calendar-day";
import { readPastChanges } from "@/lib/views/policies/read-past-changes";
import { type PastReading, readPastProposals } from "@/lib/views/policies/read-past-proposals";
import type { TimedReading } from "@/lib/views/reading";
import { backtestPhrases, missingWords } from "@/lib/words/policies/backtest-words";
import { type FindingLine, lintLines } from "@/lib/words/policies/finding-words";
import type { PolicyNames } from "@/lib/words/policies/policy-names";

/** Proposals that are listed by themselves. */
const LISTED = 50;
/** Tests of fewer proposals are never kept. */
const KEPT_FROM = 1_000;

const heldBackSchema = z.object({
  id: z.string(),
  /** Null: it has no page. */
  href: z.string().nullable(),
  words: z.string(),
  amountInCents: z.int().nullable(),
  /** `Jonas`. */
  missing: z.string(),
  wouldExpire: z.boolean(),
});

/** A past proposal or change that a draft asks more for. */
export type HeldBackView = z.infer<typeof heldBackSchema>;

const rowsSchema = z.array(
  z.object({ name: z.string().nullable(), before: z.int().nullable(), after: z.int().nullable() }),
);
const saysSchema = z.array(z.object({ text: z.string(), isKey: z.boolean() }));

const testedPolicySchema = z.object({
  says: saysSchema,
  rows: rowsSchema,
  proposalCount: z.int(),
  isCut: z.boolean(),
  /** ISO 8601. */
  fromAt: z.string(),
  heldBack: z.array(heldBackSchema),
  heldBackCount: z.int(),
  /** Payees' accounts, rules, limits and keys of the same days, by the rules that matched any. */
  changes: z.object({
    says: saysSchema,
    rows: rowsSchema,
    count: z.int(),
    heldBack: z.array(heldBackSchema),
    heldBackCount: z.int(),
  }),
});

/** What a policy would have required, beside the one in force. */
export type TestedPolicy = z.infer<typeof testedPolicySchema>;

export interface WaitingView {
  id: string;
  words: string;
  amountInCents: number | null;
  ruleName: string | null;
}

interface Testing {
  policy: Policy;
  inForce: PolicyVersion;
  names: PolicyNames;
}

interface Checking extends Testing {
  version: number;
}

/** What must hold of a policy, as of now. */
export async function lintPolicy(
  { services, context, time }: TimedReading<"pool">,
  { version, policy, names, people }: Omit<Checking, "inForce"> & { people: readonly PossibleSigner[] },
): Promise<{ lines: FindingLine[]; blocks: boolean }> {
  const lint = await lintDraft(services.pool, policy, {
    organizationId: context.organizationId,
    people,
    today: calendarDate(context.now, time.timeZone),
  });
  const lines = lintLines(lint, { policy, version, names });
  return { lines, blocks: lines.some(({ tone }) => tone === "BLOCKS") };
}

/** A policy beside the one in force: what must hold, what it would have required, and what it requires for what waits now. */
export async function checkPolicy(reading: TimedReading<"pool">, checking: Checking) {
  const { policy, inForce } = checking;
  const past = await readPast(reading, checking);
  const stricter = stricterOf(policy, inForce.policy, past);
  return {
    ...(await lintPolicy(reading, { ...checking, people: past.people })),
    tested: await testPolicy(reading, checking, past),
    waitingCount: past.waiting.length,
    stricter: stricter.slice(0, LISTED),
    stricterCount: stricter.length,
  };
}

/**
 * What it would have required: of many proposals, some minutes old, because reading them takes long.
 * @param name unique among the organization's tests; a test of another text is not shown under it
 */
export async function readKeptTest(
  reading: TimedReading<"pool" | "clock">,
  testing: Testing,
  name: string,
): Promise<TestedPolicy> {
  const { services, context } = reading;
  const of = createHash("sha256")
    .update(JSON.stringify([testing.policy, testing.inForce.policy, testing.names]))
    .digest("base64url");
  const { tested } = await answers.get(
    services,
    {
      organizationId: context.organizationId,
      now: context.now,
      name,
      schema: z.object({ of: z.literal(of), tested: testedPolicySchema }),
      staleMs: 0,
      keptIfSlowerMs: 50,
      isBig: ({ tested: { proposalCount } }) => proposalCount >= KEPT_FROM,
    },
    async () => ({ of, tested: await testPolicy(reading, testing, await readPast(reading, testing)) }),
  );
  return tested;
}

const readPast = ({ services, context, time }: TimedReading<"pool">, { policy, inForce }: Testing) =>
  readPastProposals(
    services.pool,
    { organizationId: context.organizationId, now: context.now, timeZone: time.timeZone },
    [policy, inForce.policy],
  );

async function testPolicy(
  { services, context, time }: TimedReading<"pool">,
  { policy, inForce, names }: Testing,
  past: PastReading,
): Promise<TestedPolicy> {
  const backtest = backtestPolicy(policy, inForce.policy, past);
  const changes = await readPastChanges(services.pool, {
    organizationId: context.organizationId,
    from: past.from,
    timeZone: time.timeZone,
  });
  const changed = new Map(changes.map((change) => [change.id, change]));
  const ofChanges = backtestPolicy(policy, inForce.policy, { ...past, proposals: changes });
  return {
    says: backtestPhrases(backtest, names),
    rows: backtest.rows,
    proposalCount: backtest.proposalCount,
    isCut: past.isCut,
    fromAt: past.from.toISOString(),
    heldBack: backtest.heldBack.slice(0, LISTED).map(({ proposalId, missing, wouldExpire }) => ({
      id: proposalId,
      href: proposalHref(proposalId),
      ...titleOf(past, proposalId),
      missing: missingWords(missing, names),
      wouldExpire,
    })),
    heldBackCount: backtest.heldBack.length,
    changes: {
      says: backtestPhrases(ofChanges, names, "change"),
      // Most rules are about transfers only.
      rows: ofChanges.rows.filter(({ before, after }) => (before ?? 0) + (after ?? 0) > 0),
      count: ofChanges.proposalCount,
      heldBack: ofChanges.heldBack.slice(0, LISTED).map(({ proposalId, missing, wouldExpire }) => ({
        id: proposalId,
        href: changed.get(proposalId)?.href ?? null,
        words: changed.get(proposalId)?.title ?? "A change",
        amountInCents: null,
        missing: missingWords(missing, names),
        wouldExpire,
      })),
      heldBackCount: ofChanges.heldBack.length,
    },
  };
}

/** What waits and would need more than now. */
function stricterOf(policy: Policy, inForce: Policy, past: PastReading): WaitingView[] {
  return past.waiting.flatMap((proposal) => {
    const { id, facts } = proposal;
    const now = matchAll(inForce, proposal);
    const { people, today } = past;
    const setting = { people, today, requesterMemberIds: facts.requester.memberIds };
    const more = matchAll(policy, proposal).find((after) =>
      now.every(({ requirement }) => isStricter(after.requirement, requirement, setting)),
    );
    return more ? [{ id, ...titleOf(past, id), ruleName: more.ruleName }] : [];
  });
}

function titleOf({ titles }: PastReading, id: string): { words: string; amountInCents: number | null } {
  return titles.get(id) ?? { words: "A proposal", amountInCents: null };
}
