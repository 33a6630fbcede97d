/**
 * Goal: what the linter claims is true. Method: small policies at random, compared with a search through every proposal that
 * differs for them, and through every set of people.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  DEFAULT_POLICY,
  type Policy,
  type PolicyRule,
  type PolicyWhen,
  type PolicyWindow,
  policySchema,
  type Requirement,
  type Stage,
} from "@/lib/contract/policies/policy";
import type { TransferDirection } from "@/lib/contract/transfer";
import { findWitness } from "@/lib/engine/policies/find-witness";
import { forbidsPublishing, lintPolicy } from "@/lib/engine/policies/lint-policy";
import { matchPolicy, type PolicyFacts, type PolicyRequester } from "@/lib/engine/policies/match-policy";
import { requirementOfChange } from "@/lib/engine/policies/policy-change";
import { type PossibleSigner, progressOf } from "@/lib/engine/policies/progress-of";
import { proofSeed, proofSize } from "@/lib/testing/proof-size";

const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
const MARA = id(1);
const JONAS = id(2);
const PRIYA = id(3);
const TOMAS = id(4);
const OPERATING = id(11);
const TAXES = id(12);
const OTHER = id(99);
const KEY = id(21);
const TODAY = "2026-11-20";

const people: PossibleSigner[] = [
  { id: MARA, role: "OWNER", isActive: true },
  { id: JONAS, role: "CO_OWNER", isActive: true },
  { id: PRIYA, role: "CO_OWNER", isActive: true },
  { id: TOMAS, role: "VIEWER", isActive: true },
];
const requesters: PolicyRequester[] = [{ kind: "API_KEY", id: KEY, memberIds: [JONAS] }];
const facts = { people, requesters, today: TODAY };

const ANYONE: Stage = { of: { roles: ["OWNER", "CO_OWNER"] }, atLeast: 1, deputies: [] };
const requirement = (change: Partial<Requirement> = {}): Requirement => ({
  stages: [ANYONE],
  requesterCounts: true,
  expiresAfterHours: 24,
  ...change,
});
const rule = (name: string, when: PolicyWhen, change: Partial<Requirement> = {}): PolicyRule => ({
  name,
  when,
  ...requirement(change),
});
const policyOf = (...rules: PolicyRule[]): Policy => policySchema.parse({ ...DEFAULT_POLICY, rules });
const kindsOf = (policy: Policy, change: Partial<typeof facts> = {}) =>
  lintPolicy(policy, { ...facts, ...change }).findings.map(({ kind }) => kind);

describe("rules that are never reached", () => {
  it("names the rule that catches all of it, and says nothing of the others", () => {
    const policy = policyOf(
      rule("Large", { amountOver: 10_000 }),
      rule("Weekly", { amountOver: 50_000, window: { days: 7, by: ["requester", "destination"] } }),
      rule("Larger", { amountOver: 20_000, kinds: ["TRANSFER"] }),
    );
    expect(lintPolicy(policy, facts).findings).toContainEqual({
      kind: "NEVER_REACHED",
      rule: 2,
      caughtBy: [0],
    });
    expect(kindsOf(policy).filter((kind) => kind === "NEVER_REACHED")).toHaveLength(1);
  });

  it("finds several rules that catch one together", () => {
    const policy = policyOf(
      rule("Out", { directions: ["MONEY_OUT"] }),
      rule("In", { directions: ["MONEY_IN", "INTERNAL"] }),
      rule("From Taxes", { kinds: ["TRANSFER"], sourceAccountIds: [TAXES] }),
    );
    expect(lintPolicy(policy, facts).findings).toContainEqual({
      kind: "NEVER_REACHED",
      rule: 2,
      caughtBy: [0, 1],
    });
  });

  it("conditions that exclude one another are caught by nothing", () => {
    const policy = policyOf(rule("Impossible", { kinds: ["POLICY"], amountOver: 1 }));
    expect(lintPolicy(policy, facts).findings).toContainEqual({
      kind: "NEVER_REACHED",
      rule: 0,
      caughtBy: [],
    });
  });

  it("claims nothing where there are too many cases", () => {
    const many = Array.from({ length: 29 }, (_, at) =>
      rule(`Rule ${at}`, {
        sourceAccountIds: pick(at),
        destinationAccountIds: pick(at + 3),
        kinds: ["TRANSFER"],
      }),
    );
    const last = rule("Last", {
      kinds: ["TRANSFER"],
      sourceAccountIds: ACCOUNTS,
      destinationAccountIds: ACCOUNTS,
    });
    const { findings } = lintPolicy(policyOf(...many, last), facts);
    const found = findings.filter(({ kind }) => kind === "NOT_DECIDED" || kind === "NEVER_REACHED");
    // Whatever it says of a rule, it says with a reason: never both.
    expect(new Set(found.map((finding) => ("rule" in finding ? finding.rule : null))).size).toBe(
      found.length,
    );
  });

  it("agrees with a search through every proposal", () => {
    fc.assert(
      fc.property(fc.array(arbitraryWhen, { minLength: 1, maxLength: 4 }), (whens) => {
        const policy = policyOf(...whens.map((when, at) => rule(`Rule ${at}`, when)));
        for (const index of policy.rules.keys()) {
          const isReached = everyProposal().some(
            (proposal) => matchPolicy(policy, proposal).ruleIndex === index,
          );
          const reach = findWitness(policy, index, facts);
          if (isReached) expect(reach.kind).toBe("REACHED");
          if (reach.kind === "REACHED") expect(matchPolicy(policy, reach.witness).ruleIndex).toBe(index);
          else expect(isReached).toBe(false);
        }
      }),
      { numRuns: proofSize(150, 1_500), seed: proofSeed },
    );
  });
});

const ACCOUNTS = Array.from({ length: 40 }, (_, at) => id(100 + at));
const pick = (seed: number) => ACCOUNTS.filter((_, at) => (at * 7 + seed * 13) % 5 !== 0);

const some = <Value>(...values: Value[]) =>
  fc.option(fc.subarray(values, { minLength: 1 }), { nil: undefined });
const WINDOWS: PolicyWindow[] = [
  { days: 7, by: ["requester", "destination"] },
  { days: 30, by: ["requester", "destination"] },
  { days: 7, by: ["requester"] },
];
const arbitraryWhen: fc.Arbitrary<PolicyWhen> = fc
  .record({
    kinds: some(
      "TRANSFER" as const,
      "RUN" as const,
      "PAYEE" as const,
      "RULE" as const,
      "LIMIT" as const,
      "KEY" as const,
      "POLICY" as const,
    ),
    payee: some("NEW" as const, "CHANGED" as const),
    amount: fc.option(fc.constantFrom(0, 100, 200), { nil: undefined }),
    window: fc.option(fc.constantFrom(...WINDOWS), { nil: undefined }),
    sourceAccountIds: some(OPERATING, TAXES),
    requesterKinds: some("API_KEY" as const, "MEMBER" as const),
    requesterIds: some(KEY, MARA),
    directions: some("INTERNAL" as const, "MONEY_IN" as const, "MONEY_OUT" as const),
    given: fc.subarray(["kinds", "payee", "amount", "sources", "requesters", "directions"] as const, {
      minLength: 1,
      maxLength: 3,
    }),
  })
  .map(({ given, amount, window, ...all }) => {
    const has = (part: (typeof given)[number]) => given.includes(part);
    return {
      ...(has("kinds") && { kinds: all.kinds ?? ["TRANSFER"] }),
      ...(has("payee") && { payee: all.payee ?? ["NEW"] }),
      ...(has("amount") && { amountOver: amount ?? 100, ...(window && { window }) }),
      ...(has("sources") && { sourceAccountIds: all.sourceAccountIds ?? [TAXES] }),
      ...(has("requesters") && {
        requesters: {
          kinds: all.requesterKinds ?? ["MEMBER"],
          ...(all.requesterIds && { ids: all.requesterIds }),
        },
      }),
      ...(has("directions") && { directions: all.directions ?? ["MONEY_OUT"] }),
    } satisfies PolicyWhen;
  });

let proposals: PolicyFacts[] | null = null;

/** Every proposal that these policies can tell apart, built without the linter's partitions. */
function everyProposal(): PolicyFacts[] {
  proposals ??= buildProposals();
  return proposals;
}

function buildProposals(): PolicyFacts[] {
  const who: PolicyRequester[] = [
    { kind: "API_KEY", id: KEY, memberIds: [] },
    { kind: "API_KEY", id: OTHER, memberIds: [] },
    { kind: "MEMBER", id: MARA, memberIds: [] },
    { kind: "MEMBER", id: OTHER, memberIds: [] },
    { kind: "RULE", id: OTHER, memberIds: [] },
  ];
  const single: TransferDirection[][] = [["INTERNAL"], ["MONEY_IN"], ["MONEY_OUT"]];
  const several: TransferDirection[][] = [
    ["INTERNAL", "MONEY_OUT"],
    ["MONEY_IN", "MONEY_OUT"],
    ["INTERNAL", "MONEY_IN"],
  ];
  const steps = [1, 101, 201];
  const all: PolicyFacts[] = [];
  for (const requester of who.filter(({ kind }) => kind === "MEMBER")) {
    all.push({
      kind: "POLICY",
      payee: null,
      amountInCents: 0,
      windowSums: () => 0,
      sourceAccountIds: [],
      destinationAccountIds: [],
      requester,
      directions: [],
    });
  }
  const nothing = { amountInCents: 0, windowSums: () => 0, directions: [] };
  for (const requester of who.filter(({ kind }) => kind === "MEMBER"))
    for (const sourceAccountIds of [[OPERATING], [TAXES], []])
      all.push({
        ...nothing,
        kind: "LIMIT",
        payee: null,
        requester,
        sourceAccountIds,
        destinationAccountIds: [],
      });
  const writers = who.filter(({ kind }) => kind !== "RULE");
  for (const requester of writers) {
    for (const payee of ["NEW", "CHANGED"] as const)
      all.push({
        ...nothing,
        kind: "PAYEE",
        payee,
        requester,
        sourceAccountIds: [],
        destinationAccountIds: [OTHER],
      });
    for (const payee of [null, "NEW", "CHANGED"] as const)
      for (const sourceAccountIds of [[OPERATING], [TAXES], [OTHER]])
        all.push({
          ...nothing,
          kind: "RULE",
          payee,
          requester,
          sourceAccountIds,
          destinationAccountIds: [OTHER],
        });
  }
  for (const kind of ["TRANSFER", "RUN"] as const) {
    for (const directions of kind === "RUN" ? [...single, ...several] : single) {
      for (const payee of directions.includes("MONEY_OUT") ? ([null, "NEW", "CHANGED"] as const) : [null]) {
        for (const source of [OPERATING, TAXES, OTHER]) {
          for (const requester of who) {
            for (const amountInCents of steps) {
              for (const week of steps) {
                for (const month of steps) {
                  for (const requesterWeek of steps) {
                    const isManyRun = kind === "RUN";
                    if (!isManyRun && week < amountInCents) continue;
                    if (month < week || requesterWeek < week || requesterWeek < amountInCents) continue;
                    all.push({
                      kind,
                      payee,
                      amountInCents,
                      windowSums: ({ days, by }) =>
                        by.length === 1 ? requesterWeek : days === 7 ? week : month,
                      sourceAccountIds: [source],
                      destinationAccountIds: [OTHER],
                      requester,
                      directions,
                    });
                  }
                }
              }
            }
          }
        }
      }
    }
  }
  return all;
}

describe("who is left to sign", () => {
  it("a rule that the requester alone could finish is an error that names them", () => {
    const policy = policyOf(
      rule(
        "New payee",
        { payee: ["NEW"] },
        {
          stages: [{ of: { members: [JONAS] }, atLeast: 1, deputies: [] }],
          requesterCounts: false,
        },
      ),
    );
    expect(lintPolicy(policy, facts).findings).toContainEqual({
      kind: "NOBODY_CAN_SIGN",
      rule: 0,
      requesterIds: [JONAS],
      after: null,
    });
  });

  it("a rule that nobody can finish after a deputy's last day is an error with that day", () => {
    const policy = policyOf(
      rule(
        "New payee",
        { payee: ["NEW"] },
        {
          stages: [
            { of: { members: [JONAS] }, atLeast: 1, deputies: [{ member: PRIYA, until: "2026-12-20" }] },
          ],
          requesterCounts: false,
        },
      ),
    );
    expect(lintPolicy(policy, facts).findings).toContainEqual({
      kind: "NOBODY_CAN_SIGN",
      rule: 0,
      requesterIds: [JONAS],
      after: "2026-12-20",
    });
  });

  it("a rule that one person alone can finish is a note", () => {
    const policy = policyOf(
      rule("Large", { amountOver: 1 }, { stages: [{ of: { members: [JONAS] }, atLeast: 1, deputies: [] }] }),
    );
    const { findings } = lintPolicy(policy, facts);
    expect(findings).toContainEqual({ kind: "NOBODY_WHEN_AWAY", rule: 0, awayIds: [JONAS] });
    expect(findings.some(forbidsPublishing)).toBe(false);
  });

  it("a key that only one rule names excludes its maker there, and nobody else", () => {
    const policy = policyOf(
      rule(
        "That key",
        { requesters: { ids: [KEY] } },
        {
          stages: [{ of: { members: [MARA] }, atLeast: 1, deputies: [] }],
          requesterCounts: false,
        },
      ),
    );
    expect(kindsOf(policy)).not.toContain("NOBODY_CAN_SIGN");
  });

  it("a viewer who is named cannot sign, and a deputy who ends soon is pointed out with who is left", () => {
    const policy = policyOf(
      rule(
        "Large",
        { amountOver: 1 },
        {
          stages: [
            {
              of: { members: [JONAS, TOMAS] },
              atLeast: 1,
              deputies: [{ member: PRIYA, until: "2026-12-20" }],
            },
          ],
        },
      ),
    );
    const { findings } = lintPolicy(policy, facts);
    expect(findings).toContainEqual({ kind: "CANNOT_SIGN", rule: 0, memberId: TOMAS });
    expect(findings).toContainEqual({
      kind: "DEPUTY_ENDS",
      rule: 0,
      deputyId: PRIYA,
      until: "2026-12-20",
      isOver: false,
      leftIds: [JONAS],
    });
  });

  it("agrees with a search through every set of people", () => {
    const arbitraryStage: fc.Arbitrary<Stage> = fc.record({
      of: fc.oneof(
        fc.subarray(["OWNER" as const, "CO_OWNER" as const], { minLength: 1 }).map((roles) => ({ roles })),
        fc.subarray([MARA, JONAS, PRIYA, TOMAS], { minLength: 1 }).map((members) => ({ members })),
      ),
      atLeast: fc.integer({ min: 1, max: 3 }),
      deputies: fc
        .subarray([PRIYA, MARA], { maxLength: 1 })
        .map((ids) => ids.map((member) => ({ member, until: "2027-06-01" }))),
    });
    fc.assert(
      fc.property(
        fc.array(arbitraryStage, { minLength: 1, maxLength: 3 }),
        fc.boolean(),
        (stages, requesterCounts) => {
          const policy: Policy = { rules: [], otherwise: requirement({ stages, requesterCounts }) };
          const { findings } = lintPolicy(policy, facts);
          const isStuck = (day: string) =>
            (requesterCounts ? [null] : [null, MARA, JONAS, PRIYA]).some(
              (requester) => !bruteForce(stages, requester, day),
            );
          expect(findings.some(({ kind }) => kind === "NOBODY_CAN_SIGN")).toBe(
            isStuck(TODAY) || (stages.some(({ deputies }) => deputies.length > 0) && isStuck("2027-06-02")),
          );
        },
      ),
      { numRuns: proofSize(150, 1_500), seed: proofSeed },
    );
  });
});

/** Whether people can be put into the stages: every person into every stage or none. */
function bruteForce(stages: readonly Stage[], requester: string | null, day: string): boolean {
  const deciders = people.filter(({ role, id: own }) => role !== "VIEWER" && own !== requester);
  const place = (at: number, counts: readonly number[]): boolean => {
    const person = deciders[at];
    if (!person) return stages.every(({ atLeast }, stage) => (counts[stage] ?? 0) >= atLeast);
    const mayGo = (stage: Stage) =>
      ("roles" in stage.of
        ? stage.of.roles.some((role) => role === person.role)
        : stage.of.members.includes(person.id)) ||
      stage.deputies.some(({ member, until }) => member === person.id && day <= until);
    return (
      place(at + 1, counts) ||
      stages.some(
        (stage, to) =>
          mayGo(stage) &&
          place(
            at + 1,
            counts.map((count, own) => count + Number(own === to)),
          ),
      )
    );
  };
  return place(
    0,
    stages.map(() => 0),
  );
}

describe("who replaces a policy", () => {
  it("two people sign wherever two may, whatever the policy says", () => {
    const arbitraryMembers = fc.subarray([MARA, JONAS, PRIYA], { minLength: 1 });
    fc.assert(
      fc.property(
        arbitraryMembers,
        fc.integer({ min: 1, max: 2 }),
        fc.boolean(),
        (members, atLeast, counts) => {
          const stages = [{ of: { members }, atLeast, deputies: [] }];
          const policy = policyOf(rule("Policy", { kinds: ["POLICY"] }, { stages, requesterCounts: counts }));
          for (const author of [MARA, JONAS, PRIYA]) {
            const asked = requirementOfChange(policy, author, people).requirement;
            for (const signer of [MARA, JONAS, PRIYA]) {
              const { isComplete } = progressOf([asked], {
                signatures: [{ memberId: signer, on: TODAY }],
                people,
                requesterMemberIds: [author],
                today: TODAY,
              });
              expect(isComplete).toBe(false);
            }
          }
        },
      ),
      { numRuns: proofSize(60, 600), seed: proofSeed },
    );
  });

  it("a single owner replaces it alone, which is pointed out", () => {
    const { findings, peopleToReplace } = lintPolicy(DEFAULT_POLICY, {
      ...facts,
      people: people.slice(0, 1),
    });
    expect(findings).toContainEqual({ kind: "ONE_PERSON", memberId: MARA });
    expect(findings.some(forbidsPublishing)).toBe(false);
    expect(peopleToReplace).toBe(1);
  });

  it("the default holds, and needs two to be replaced", () => {
    expect(lintPolicy(DEFAULT_POLICY, facts)).toEqual({ findings: [], peopleToReplace: 2 });
  });
});
