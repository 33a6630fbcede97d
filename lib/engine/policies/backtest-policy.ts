import type { Policy, Requirement } from "@/lib/contract/policies/policy";
import { type MatchedRequirement, matchPolicy, type PolicyFacts } from "@/lib/engine/policies/match-policy";
import { type PossibleSigner, progressOf } from "@/lib/engine/policies/progress-of";

/** A proposal as it was, and how it ended. */
export interface PastProposal {
  id: string;
  facts: PolicyFacts;
  /** Of a batch, each of its lines, which are matched beside the whole. */
  lines?: readonly PolicyFacts[];
  /** Milliseconds. */
  createdAt: number;
  /** Null: it was not approved. */
  approvedAt: number | null;
  /** Who signed it, with the day for deputies. */
  signatures: readonly { memberId: string; on: string }[];
}

/** That a person decided or signed something. */
export interface SeenDeciding {
  memberId: string;
  /** Milliseconds. */
  at: number;
}

export interface PastFacts {
  proposals: readonly PastProposal[];
  decisions: readonly SeenDeciding[];
  /** Members as they are now. */
  people: readonly PossibleSigner[];
  today: string;
}

export interface BacktestRow {
  /** Null: what it says otherwise. */
  name: string | null;
  /** Proposals that it matched; null: that version has no such rule. */
  before: number | null;
  after: number | null;
}

/** Signatures that a stage still lacked: `count` of these people. */
export interface MissingSignatures {
  memberIds: string[];
  count: number;
}

/** An approved proposal that the draft would have asked more for. */
export interface HeldBack {
  proposalId: string;
  ruleName: string | null;
  missing: MissingSignatures[];
  wouldExpire: boolean;
}

export interface PolicyBacktest {
  proposalCount: number;
  rows: BacktestRow[];
  /** Approved proposals that would have needed someone in addition. */
  heldBack: HeldBack[];
  /** Of all approved ones: for lack of a signature, or because the draft gives less time than their decision took. */
  expiredIds: string[];
}

const HOUR_MS = 3_600_000;

/**
 * What a draft would have required for past proposals, beside the version in force. A signature that it would have asked in
 * addition counts as given if one of those who could give it decided anything while the proposal would have been open;
 * otherwise the proposal would have expired.
 */
export function backtestPolicy(draft: Policy, inForce: Policy, past: PastFacts): PolicyBacktest {
  const before = past.proposals.map((proposal) => matchAll(inForce, proposal));
  const after = past.proposals.map((proposal) => matchAll(draft, proposal));
  const heldBack: HeldBack[] = [];
  const expiredIds: string[] = [];
  const seen = whenSeen(past.decisions);
  for (const [index, proposal] of past.proposals.entries()) {
    const asked = after[index];
    const now = before[index];
    if (!asked || !now || proposal.approvedAt === null) continue;
    const missing = missingFrom(asked, proposal, past);
    const isMore = countOf(missing) > countOf(missingFrom(now, proposal, past));
    const until = proposal.createdAt + hoursOf(asked) * HOUR_MS;
    const wouldExpire = isMore
      ? missing.some((some) => !isEnoughSeen(some, seen, { from: proposal.createdAt, until }))
      : isSooner(asked, now) && proposal.approvedAt > until;
    const by = asked.find((one) => missingFrom([one], proposal, past).length > 0);
    if (isMore)
      heldBack.push({ proposalId: proposal.id, ruleName: by?.ruleName ?? null, missing, wouldExpire });
    if (wouldExpire) expiredIds.push(proposal.id);
  }
  return {
    proposalCount: past.proposals.length,
    rows: rowsOf(draft, inForce, before, after),
    heldBack,
    expiredIds,
  };
}

/** What a policy asks for it, of a batch as `matchPoliciesOfBatch`: each rule once. */
export function matchAll(
  policy: Policy,
  { facts, lines = [] }: Pick<PastProposal, "facts" | "lines">,
): MatchedRequirement[] {
  const matched = [facts, ...lines].map((each) => matchPolicy(policy, each));
  return [...new Map(matched.map((one) => [one.ruleIndex, one])).values()];
}

const hoursOf = (asks: readonly MatchedRequirement[]) =>
  Math.min(...asks.map(({ requirement }) => requirement.expiresAfterHours));

const isSooner = (one: readonly MatchedRequirement[], other: readonly MatchedRequirement[]) =>
  hoursOf(one) < hoursOf(other);

function rowsOf(
  draft: Policy,
  inForce: Policy,
  before: readonly MatchedRequirement[][],
  after: readonly MatchedRequirement[][],
): BacktestRow[] {
  const drafted = draft.rules.map(({ name }) => name);
  const held = inForce.rules.map(({ name }) => name);
  const gone = held.filter((name) => !drafted.includes(name));
  const count = (matched: readonly MatchedRequirement[][], name: string | null) =>
    matched.filter((asks) => asks.some(({ ruleName }) => ruleName === name)).length;
  return [...drafted, ...gone, null].map((name) => ({
    name,
    before: name === null || held.includes(name) ? count(before, name) : null,
    after: name === null || drafted.includes(name) ? count(after, name) : null,
  }));
}

/** What the signatures that were given lack, stage by stage. */
function missingFrom(
  asks: readonly MatchedRequirement[],
  proposal: PastProposal,
  past: PastFacts,
): MissingSignatures[] {
  const { people, today } = past;
  const requesterMemberIds = proposal.facts.requester.memberIds;
  const { requirements } = progressOf(
    asks.map(({ requirement }) => requirement),
    { signatures: proposal.signatures, people, requesterMemberIds, today },
  );
  const missing = requirements.flatMap(({ stages, currentStage, maySign }) => {
    const counted = new Set(stages.flatMap(({ memberIds }) => memberIds));
    return stages.flatMap(({ memberIds, atLeast, eligibleIds }, at) => {
      if (memberIds.length >= atLeast) return [];
      // A signature may make room in an earlier stage for one that then counts here.
      const others = at === currentStage ? maySign : eligibleIds.filter((id) => !counted.has(id));
      return [{ memberIds: others, count: atLeast - memberIds.length }];
    });
  });
  // One signature serves several rules.
  return [...new Map(missing.map((some) => [JSON.stringify(some), some])).values()];
}

const countOf = (missing: readonly MissingSignatures[]) => missing.reduce((sum, { count }) => sum + count, 0);

function whenSeen(decisions: readonly SeenDeciding[]): Map<string, number[]> {
  const seen = new Map<string, number[]>();
  for (const { memberId, at } of decisions) {
    const times = seen.get(memberId);
    if (times) times.push(at);
    else seen.set(memberId, [at]);
  }
  return seen;
}

function isEnoughSeen(
  { memberIds, count }: MissingSignatures,
  seen: ReadonlyMap<string, number[]>,
  { from, until }: { from: number; until: number },
): boolean {
  const present = memberIds.filter((id) => seen.get(id)?.some((at) => at >= from && at <= until));
  return present.length >= count;
}

/** People that are tried in every combination. */
const MAXIMUM_TRIED_PEOPLE = 12;

/**
 * Whether the one requirement can be incomplete when the other is complete: it asks for more than that one. Proven by trying
 * every set of people who may sign; with too many people, taken for granted.
 */
export function isStricter(
  one: Requirement,
  other: Requirement,
  {
    people,
    requesterMemberIds,
    today,
  }: Pick<PastFacts, "people" | "today"> & { requesterMemberIds: readonly string[] },
): boolean {
  if (JSON.stringify(one) === JSON.stringify(other)) return false;
  const deciders = people.filter(
    ({ role, isActive }) => isActive && (role === "OWNER" || role === "CO_OWNER"),
  );
  if (deciders.length > MAXIMUM_TRIED_PEOPLE) return true;
  const isComplete = (requirement: Requirement, bits: number) =>
    progressOf([requirement], {
      signatures: deciders.flatMap(({ id }, at) => (bits & (1 << at) ? [{ memberId: id, on: today }] : [])),
      people,
      requesterMemberIds,
      today,
    }).isComplete;
  for (let bits = 0; bits < 1 << deciders.length; bits += 1) {
    if (isComplete(other, bits) && !isComplete(one, bits)) return true;
  }
  return one.expiresAfterHours < other.expiresAfterHours;
}
