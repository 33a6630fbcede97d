import { expect, it } from "vitest";
import { DEFAULT_POLICY, type Policy, type Requirement } from "@/lib/contract/policies/policy";
import { backtestPolicy, isStricter, type PastProposal } from "@/lib/engine/policies/backtest-policy";
import { factsOfChange } from "@/lib/engine/policies/policy-change";
import type { PossibleSigner } from "@/lib/engine/policies/progress-of";

const HOUR_MS = 3_600_000;
const BEGIN = Date.parse("2026-11-01T12:00:00Z");
const TODAY = "2026-11-20";
const people: PossibleSigner[] = [
  { id: "mara", role: "OWNER", isActive: true },
  { id: "jonas", role: "CO_OWNER", isActive: true },
];

const withJonas: Requirement = {
  stages: [
    { of: { roles: ["OWNER", "CO_OWNER"] }, atLeast: 1, deputies: [] },
    { of: { members: ["jonas"] }, atLeast: 1, deputies: [] },
  ],
  requesterCounts: true,
  expiresAfterHours: 24,
};
const draft: Policy = {
  ...DEFAULT_POLICY,
  rules: [{ name: "Large", when: { amountOver: 200_000 }, ...withJonas }],
};

const approved = (id: string, amountInCents: number, by: string[] = ["mara"]): PastProposal => ({
  id,
  facts: { ...factsOfChange("tomas"), kind: "TRANSFER", amountInCents },
  createdAt: BEGIN,
  approvedAt: BEGIN + HOUR_MS,
  signatures: by.map((memberId) => ({ memberId, on: TODAY })),
});

const past = (proposals: PastProposal[], decisions: { memberId: string; at: number }[] = []) => ({
  proposals,
  decisions,
  people,
  today: TODAY,
});

it("counts what each rule matches before and after, otherwise last", () => {
  const { rows, proposalCount } = backtestPolicy(
    draft,
    DEFAULT_POLICY,
    past([approved("a", 300_000), approved("b", 100), approved("c", 200_000)]),
  );
  expect(proposalCount).toBe(3);
  expect(rows).toEqual([
    { name: "Large", before: null, after: 1 },
    { name: null, before: 3, after: 2 },
  ]);
});

it("names whose signature was missing, and what would have expired without it", () => {
  const seen = past([approved("a", 300_000)], [{ memberId: "jonas", at: BEGIN + 2 * HOUR_MS }]);
  expect(backtestPolicy(draft, DEFAULT_POLICY, seen)).toMatchObject({
    heldBack: [
      {
        proposalId: "a",
        ruleName: "Large",
        missing: [{ memberIds: ["jonas"], count: 1 }],
        wouldExpire: false,
      },
    ],
    expiredIds: [],
  });
  const late = past([approved("a", 300_000)], [{ memberId: "jonas", at: BEGIN + 25 * HOUR_MS }]);
  expect(backtestPolicy(draft, DEFAULT_POLICY, late).expiredIds).toEqual(["a"]);
});

it("a signer who makes room in an earlier stage is missing too", () => {
  const { heldBack } = backtestPolicy(draft, DEFAULT_POLICY, past([approved("a", 300_000, ["jonas"])]));
  expect(heldBack).toMatchObject([{ missing: [{ memberIds: ["mara"], count: 1 }] }]);
});

it("what both people had signed needs nobody in addition, and a denied one is not held back", () => {
  const denied = { ...approved("b", 300_000), approvedAt: null, signatures: [] };
  const { heldBack } = backtestPolicy(
    draft,
    DEFAULT_POLICY,
    past([approved("a", 300_000, ["mara", "jonas"]), denied]),
  );
  expect(heldBack).toEqual([]);
});

it("of a batch counts the whole and each line, a rule once, and the shortest time", () => {
  const facts = (amountInCents: number) => approved("a", amountInCents).facts;
  const quick = { ...DEFAULT_POLICY.otherwise, expiresAfterHours: 2 };
  const both: Policy = {
    rules: [...draft.rules, { name: "Small", when: { amountOver: 149_000 }, ...quick }],
    otherwise: DEFAULT_POLICY.otherwise,
  };
  const batch = { ...approved("a", 300_000), lines: [facts(150_000), facts(150_000)] };
  const { rows, heldBack, expiredIds, proposalCount } = backtestPolicy(both, DEFAULT_POLICY, past([batch]));
  expect(proposalCount).toBe(1);
  expect(rows).toEqual([
    { name: "Large", before: null, after: 1 },
    { name: "Small", before: null, after: 1 },
    { name: null, before: 1, after: 0 },
  ]);
  expect(heldBack).toMatchObject([{ ruleName: "Large", missing: [{ memberIds: ["jonas"], count: 1 }] }]);
  expect(expiredIds).toEqual(["a"]);
});

it("a shorter time lets expire what was decided later than that", () => {
  const shorter: Policy = {
    ...DEFAULT_POLICY,
    otherwise: { ...DEFAULT_POLICY.otherwise, expiresAfterHours: 1 },
  };
  const late = { ...approved("a", 100), approvedAt: BEGIN + 3 * HOUR_MS };
  expect(backtestPolicy(shorter, DEFAULT_POLICY, past([late])).expiredIds).toEqual(["a"]);
});

it("a requirement is stricter if some people complete the other and not it", () => {
  const setting = { people, requesterMemberIds: ["mara"], today: TODAY };
  const { otherwise } = DEFAULT_POLICY;
  expect(isStricter(withJonas, otherwise, setting)).toBe(true);
  expect(isStricter(otherwise, withJonas, setting)).toBe(false);
  expect(isStricter({ ...otherwise, requesterCounts: false }, otherwise, setting)).toBe(true);
  expect(isStricter(otherwise, otherwise, setting)).toBe(false);
  expect(isStricter({ ...otherwise, expiresAfterHours: 72 }, otherwise, setting)).toBe(false);
});
