import { expect, it } from "vitest";
import { addOwnMovesRule, mayAskForOwnMoves } from "@/app/settings/approvals/edit/_components/policy-edits";
import { DEFAULT_POLICY, type Policy, policySchema } from "@/lib/contract/policies/policy";
import { lintPolicy } from "@/lib/engine/policies/lint-policy";
import { matchPolicy, type PolicyFacts } from "@/lib/engine/policies/match-policy";

const PEOPLE = [
  { id: "00000000-0000-4000-8000-000000000001", role: "OWNER", isActive: true } as const,
  { id: "00000000-0000-4000-8000-000000000002", role: "CO_OWNER", isActive: true } as const,
];
const [mara] = PEOPLE;

const factsOf = (kind: "MEMBER" | "API_KEY"): PolicyFacts => ({
  kind: "TRANSFER",
  payee: null,
  amountInCents: 100,
  windowSums: () => 100,
  sourceAccountIds: [],
  destinationAccountIds: [],
  requester: { kind, id: mara?.id ?? "", memberIds: [mara?.id ?? ""] },
  directions: ["INTERNAL"],
});
const counts = (policy: Policy, kind: "MEMBER" | "API_KEY") =>
  matchPolicy(policy, factsOf(kind)).requirement.requesterCounts;

it("offers that someone else approves a member's own moves where two may, and only then", () => {
  expect(mayAskForOwnMoves(DEFAULT_POLICY, PEOPLE)).toBe(true);
  expect(mayAskForOwnMoves(DEFAULT_POLICY, [{ role: "OWNER" }, { role: "VIEWER" }])).toBe(false);
  const policy = policySchema.parse(addOwnMovesRule(DEFAULT_POLICY));
  expect(mayAskForOwnMoves(policy, PEOPLE)).toBe(false);
  expect(counts(policy, "MEMBER")).toBe(false);
  expect(counts(policy, "API_KEY")).toBe(true);
  const lint = lintPolicy(policy, { people: PEOPLE, requesters: [], today: "2026-11-30" });
  expect(lint.findings.filter(({ kind }) => kind === "NEVER_REACHED" || kind === "NOBODY_CAN_SIGN")).toEqual(
    [],
  );
});
