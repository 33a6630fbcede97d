import { describe, expect, it } from "vitest";
import { DEFAULT_POLICY, type Policy, type PolicyRule } from "@/lib/contract/policies/policy";
import { diffPolicies, diffWords, summarizeDiff, textOf } from "@/lib/words/policies/policy-diff";
import { callPeople, type PolicyNames } from "@/lib/words/policies/policy-names";
import { otherwiseSentence, ruleSentence } from "@/lib/words/policies/policy-sentence";

const names: PolicyNames = {
  people: callPeople([
    { id: "mara", name: "Mara Okafor" },
    { id: "jonas", name: "Jonas Weil" },
    { id: "priya", name: "Priya Nair" },
  ]),
  accounts: { operating: "Operating", taxes: "Taxes" },
  requesters: { key: "claude-taxes" },
};

const anyone = DEFAULT_POLICY.otherwise.stages;
const rule = (name: string, when: PolicyRule["when"], change: Partial<PolicyRule> = {}): PolicyRule => ({
  name,
  when,
  ...DEFAULT_POLICY.otherwise,
  ...change,
});
const policyOf = (...rules: PolicyRule[]): Policy => ({ ...DEFAULT_POLICY, rules });
const sentenceOf = (one: PolicyRule) => textOf(ruleSentence(one, policyOf(one), names));

describe("the sentence of a rule", () => {
  it.each<[PolicyRule, string]>([
    [
      rule(
        "New payee",
        { payee: ["NEW", "CHANGED"] },
        {
          stages: [{ of: { members: ["mara", "jonas", "priya"] }, atLeast: 2, deputies: [] }],
          requesterCounts: false,
          expiresAfterHours: 72,
        },
      ),
      "If money goes to a payee that is new or changed, 2 of Mara, Jonas and Priya approve. The requester does not count. Open for 72 hours.",
    ],
    [
      rule(
        "Much in a week",
        { amountOver: 500_000, window: { days: 7, by: ["requester", "destination"] } },
        {
          stages: [
            ...anyone,
            { of: { members: ["jonas"] }, atLeast: 1, deputies: [{ member: "priya", until: "2026-12-20" }] },
          ],
        },
      ),
      "If one requester moves more than $5,000.00 to one destination within 7 days, first any owner or co-owner approves, then Jonas. Until Dec 20, 2026, Priya may sign for Jonas.",
    ],
    [rule("Out", { directions: ["MONEY_OUT"] }), "If money goes out, 1 owner or co-owner approves."],
    [
      rule(
        "This policy",
        { kinds: ["POLICY"] },
        {
          stages: [{ of: { members: ["mara", "jonas"] }, atLeast: 2, deputies: [] }],
        },
      ),
      "If this policy changes, Mara and Jonas approve.",
    ],
    [
      rule("A key", { requesters: { ids: ["key"] }, sourceAccountIds: ["operating"] }),
      "If claude-taxes moves money from Operating, 1 owner or co-owner approves.",
    ],
    [
      rule("Runs", { kinds: ["RUN"], requesters: { kinds: ["RULE"] } }),
      "If a rule by itself asks for a run of a rule, 1 owner or co-owner approves.",
    ],
    [
      rule("Payees", { kinds: ["PAYEE"], payee: ["NEW"] }),
      "If an account of a payee that is new is proposed, 1 owner or co-owner approves.",
    ],
    [
      rule("Limits and keys", { kinds: ["LIMIT", "KEY"], requesters: { kinds: ["MEMBER"] } }),
      "If a member asks for a looser limit or a new key, 1 owner or co-owner approves.",
    ],
    [
      rule("Rules", {
        kinds: ["RULE"],
        requesters: { kinds: ["API_KEY"] },
        sourceAccountIds: ["operating"],
        destinationAccountIds: ["taxes"],
      }),
      "If an API key asks for a version of a rule from Operating to Taxes, 1 owner or co-owner approves.",
    ],
    [
      rule("New payee", { kinds: ["TRANSFER", "PAYEE"], payee: ["NEW", "CHANGED"] }),
      "If money goes to a payee that is new or changed as a transfer, or for an account of a payee, 1 owner or co-owner approves.",
    ],
  ])("%#", (one, sentence) => {
    expect(sentenceOf(one)).toBe(sentence);
  });

  it("what holds otherwise says who, whether the requester counts, and how long", () => {
    expect(textOf(otherwiseSentence(DEFAULT_POLICY, names))).toBe(
      "1 owner or co-owner approves, also the requester. Open for 24 hours.",
    );
  });
});

it("people who share a first name are called by both", () => {
  expect(
    callPeople([
      { id: "a", name: "Ana Reyes" },
      { id: "b", name: "Ana Silva" },
      { id: "c", name: "Ben" },
    ]),
  ).toEqual({ a: "Ana Reyes", b: "Ana Silva", c: "Ben" });
});

describe("the difference of two versions", () => {
  const five = rule("Large", { amountOver: 500_000 });
  const two = rule("Large", { amountOver: 200_000 });

  it("of one changed sentence says what it said before", () => {
    const diff = diffPolicies(policyOf(five), policyOf(two), names);
    expect(diff.changes).toMatchObject([{ part: "Rule 1", kind: "CHANGED" }]);
    expect(diff.unchanged).toEqual(["Otherwise"]);
    expect(summarizeDiff(diff, 7).after).toBe("Version 7 says $5,000.00.");
  });

  it("of several counts them", () => {
    const diff = diffPolicies(
      policyOf(five),
      policyOf(two, rule("Out", { directions: ["MONEY_OUT"] })),
      names,
    );
    expect(summarizeDiff(diff, 7).after).toBe("1 rule is new and 1 sentence changes.");
  });

  it("names a rule that ends, and one that only moved", () => {
    const out = rule("Out", { directions: ["MONEY_OUT"] });
    const ended = diffPolicies(policyOf(five, out), DEFAULT_POLICY, names);
    expect(ended.changes).toMatchObject([{ kind: "GONE" }, { kind: "GONE" }]);
    // "2 of 1 sentences" reads as a mistake.
    expect(ended.sentenceCount).toBe(3);
    const moved = diffPolicies(policyOf(five, out), policyOf(out, five), names).changes;
    expect(moved.map(({ kind }) => kind)).toEqual(["MOVED", "MOVED"]);
  });

  it("word by word, both texts can be read from it", () => {
    const pieces = diffWords("a b c d", "a x c d e");
    const read = (kind: "ADDED" | "REMOVED") =>
      pieces
        .filter((piece) => piece.kind !== kind)
        .map(({ text }) => text.trim())
        .join(" ");
    expect(read("REMOVED")).toBe("a x c d e");
    expect(read("ADDED")).toBe("a b c d");
  });
});
