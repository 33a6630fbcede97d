import { describe, expect, it } from "vitest";
import {
  DEFAULT_POLICY,
  type PolicyRule,
  type PolicyWhen,
  policySchema,
} from "@/lib/contract/policies/policy";
import { matchPolicy, type PolicyFacts, windowsOf } from "@/lib/engine/policies/match-policy";

const rule = (name: string, when: PolicyWhen): PolicyRule => ({ ...DEFAULT_POLICY.otherwise, name, when });
const policyOf = (...rules: PolicyRule[]) => ({ ...DEFAULT_POLICY, rules });
const facts: PolicyFacts = {
  kind: "TRANSFER",
  payee: null,
  amountInCents: 500_000,
  windowSums: () => 500_000,
  sourceAccountIds: ["operating"],
  destinationAccountIds: ["comcast"],
  requester: { kind: "API_KEY", id: "key", memberIds: ["ana"] },
  directions: ["MONEY_OUT"],
};
const nameOf = (when: PolicyWhen, changed: Partial<PolicyFacts> = {}) =>
  matchPolicy(policyOf(rule("Named", when)), { ...facts, ...changed }).ruleName;

describe("the rule of a policy that matches", () => {
  it("is the first whose conditions all hold", () => {
    const policy = policyOf(
      rule("Runs", { kinds: ["RUN"] }),
      rule("Much", { kinds: ["TRANSFER"], amountOver: 100 }),
      rule("Any", { kinds: ["TRANSFER"] }),
    );
    expect(matchPolicy(policy, facts)).toMatchObject({ ruleIndex: 1, ruleName: "Much" });
    expect(matchPolicy(policy, { ...facts, kind: "POLICY" })).toEqual({
      ruleIndex: null,
      ruleName: null,
      when: null,
      requirement: DEFAULT_POLICY.otherwise,
    });
  });

  it("compares amounts strictly, of this one or of a window", () => {
    expect(nameOf({ amountOver: 500_000 })).toBeNull();
    expect(nameOf({ amountOver: 499_999 })).toBe("Named");
    const window = { days: 7, by: ["requester" as const] };
    expect(nameOf({ amountOver: 500_000, window }, { windowSums: () => 500_001 })).toBe("Named");
    expect(nameOf({ amountOver: 500_000, window })).toBeNull();
  });

  it.each<[PolicyWhen, Partial<PolicyFacts>, boolean]>([
    [{ payee: ["NEW"] }, { payee: "NEW" }, true],
    [{ payee: ["NEW"] }, { payee: "CHANGED" }, false],
    [{ payee: ["NEW", "CHANGED"] }, { payee: null }, false],
    [{ sourceAccountIds: ["operating"] }, {}, true],
    [{ sourceAccountIds: ["taxes"] }, {}, false],
    [{ destinationAccountIds: ["irs", "comcast"] }, {}, true],
    [{ destinationAccountIds: ["irs"] }, { destinationAccountIds: ["comcast", "irs"] }, true],
    [{ requesters: { kinds: ["MEMBER"] } }, {}, false],
    [{ requesters: { kinds: ["API_KEY"], ids: ["key"] } }, {}, true],
    [{ requesters: { ids: ["other"] } }, {}, false],
    [{ requesters: { ids: ["key"] } }, { requester: { kind: "RULE", id: null, memberIds: [] } }, false],
    [{ directions: ["INTERNAL"] }, { directions: ["INTERNAL", "MONEY_OUT"] }, true],
    [{ directions: ["MONEY_IN"] }, {}, false],
  ])("takes %j with %j as %s", (when, changed, isMatch) => {
    expect(nameOf(when, changed)).toBe(isMatch ? "Named" : null);
  });

  it("names each window once, in any order of what it adds up by", () => {
    const policy = policyOf(
      rule("A", { amountOver: 1, window: { days: 7, by: ["requester", "destination"] } }),
      rule("B", { amountOver: 2, window: { days: 7, by: ["destination", "requester"] } }),
      rule("C", { amountOver: 3, window: { days: 30, by: ["destination"] } }),
    );
    expect(windowsOf(policy)).toHaveLength(2);
  });
});

describe("the definition of a policy", () => {
  it("accepts the default, and refuses what would mean nothing", () => {
    expect(policySchema.parse(DEFAULT_POLICY)).toEqual(DEFAULT_POLICY);
    const wrong: unknown[] = [
      policyOf(rule("Nothing", {})),
      policyOf(rule("Window alone", { window: { days: 7, by: ["requester"] } })),
      policyOf(rule("Twice", { kinds: ["RUN"] }), rule("Twice", { kinds: ["TRANSFER"] })),
      policyOf(rule("No one", { requesters: {} })),
      { ...DEFAULT_POLICY, version: 3 },
      { ...DEFAULT_POLICY, otherwise: { ...DEFAULT_POLICY.otherwise, expiresAfterHours: 169 } },
    ];
    for (const policy of wrong) expect(policySchema.safeParse(policy).success).toBe(false);
  });
});
