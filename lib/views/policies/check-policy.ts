import type { Policy } from "@/lib/contract/policies/policy";
import type { Phrase } from "@/lib/contract/rules/rule-parts";
import { proposalHref } from "@/lib/core/approvals/read-waiting";
import { lintDraft } from "@/lib/core/policies/lint-draft";
import type { PolicyVersion } from "@/lib/core/policies/read-policy";
import {
  type BacktestRow,
  backtestPolicy,
  isStricter,
  matchAll,
} from "@/lib/engine/policies/backtest-policy";
import { readPastChanges } from "@/lib/views/policies/read-past-changes";
import { type PastReading, readPastProposals } from "@/lib/views/policies/read-past-proposals";
import type { TimedReading } from "@/lib/views/reading";
import { backtestPhrases, missingWords } from "@/lib/words/policies/backtest-words";
import { type FindingLine, lintLines } from "@/lib/words/policies/finding-words";
import type { PolicyNames } from "@/lib/words/policies/policy-names";

/** Proposals that are listed by themselves. */
const LISTED = 50;

/** A past proposal or change that a draft asks more for. */
export interface HeldBackView {
  id: string;
  /** Null: it has no page. */
  href: string | null;
  words: string;
  amountInCents: number | null;
  /** `Jonas`. */
  missing: string;
  wouldExpire: boolean;
}

export interface WaitingView {
  id: string;
  words: string;
  amountInCents: number | null;
  ruleName: string | null;
}

/** A policy beside the one in force: what must hold, what it would have required, and what it requires for what waits now. */
export interface CheckedPolicy {
  lines: FindingLine[];
  blocks: boolean;
  says: Phrase[];
  rows: BacktestRow[];
  proposalCount: number;
  isCut: boolean;
  fromAt: string;
  heldBack: HeldBackView[];
  heldBackCount: number;
  /** Payees' accounts, rules, limits and keys of the same days, by the rules that matched any. */
  changes: {
    says: Phrase[];
    rows: BacktestRow[];
    count: number;
    heldBack: HeldBackView[];
    heldBackCount: number;
  };
  waitingCount: number;
  stricter: WaitingView[];
  stricterCount: number;
}

interface Checking {
  version: number;
  policy: Policy;
  inForce: PolicyVersion;
  names: PolicyNames;
}

export async function checkPolicy(
  { services, context, time }: TimedReading,
  { version, policy, inForce, names }: Checking,
): Promise<CheckedPolicy> {
  const { organizationId, now } = context;
  const past = await readPastProposals(services.pool, { organizationId, now, timeZone: time.timeZone });
  const lint = await lintDraft(services.pool, policy, {
    organizationId,
    people: past.people,
    today: past.today,
  });
  const lines = lintLines(lint, { policy, version, names });
  const backtest = backtestPolicy(policy, inForce.policy, past);
  const changes = await readPastChanges(services.pool, {
    organizationId,
    from: past.from,
    timeZone: time.timeZone,
  });
  const changed = new Map(changes.map((change) => [change.id, change]));
  const ofChanges = backtestPolicy(policy, inForce.policy, { ...past, proposals: changes });
  const stricter = stricterOf(policy, inForce.policy, past);
  return {
    lines,
    blocks: lines.some(({ tone }) => tone === "BLOCKS"),
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
    waitingCount: past.waiting.length,
    stricter: stricter.slice(0, LISTED),
    stricterCount: stricter.length,
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
