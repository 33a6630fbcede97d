import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  DEFAULT_POLICY,
  type Requirement,
  type SignerRole,
  type Stage,
} from "@/lib/contract/policies/policy";
import { type PossibleSigner, type ProgressFacts, progressOf } from "@/lib/engine/policies/progress-of";
import { proofSize } from "@/lib/testing/proof-size";

const PEOPLE = ["ana", "ben", "cleo", "dan", "eve"];
const TODAY = "2026-11-30";

const everyone: PossibleSigner[] = PEOPLE.map((id) => ({ id, role: "OWNER", isActive: true }));
const named = (members: string[], atLeast = 1, deputies: Stage["deputies"] = []): Stage => ({
  of: { members },
  atLeast,
  deputies,
});
const anyOf = (atLeast: number): Stage => ({ of: { roles: ["OWNER", "CO_OWNER"] }, atLeast, deputies: [] });
const asks = (stages: Stage[], requesterCounts = true): Requirement => ({
  stages,
  requesterCounts,
  expiresAfterHours: 24,
});
const by = (...memberIds: string[]): ProgressFacts => ({
  signatures: memberIds.map((memberId) => ({ memberId, on: TODAY })),
  people: everyone,
  requesterMemberIds: [],
  today: TODAY,
});

describe("the progress of signatures", () => {
  it("is complete after one decider without a policy, also the requester", () => {
    const requirement = [DEFAULT_POLICY.otherwise];
    expect(progressOf(requirement, { ...by(), requesterMemberIds: ["ana"] })).toMatchObject({
      isComplete: false,
      maySign: PEOPLE,
      wouldComplete: PEOPLE,
    });
    expect(progressOf(requirement, { ...by("ana"), requesterMemberIds: ["ana"] }).isComplete).toBe(true);
  });

  it("counts two signatures of one person once", () => {
    expect(progressOf([asks([anyOf(2)])], by("ana", "ana")).isComplete).toBe(false);
    expect(progressOf([asks([anyOf(2)])], by("ana", "ben")).isComplete).toBe(true);
  });

  it("does not count the requester where they do not count, nor let them sign", () => {
    const facts = { ...by("ana", "ben"), requesterMemberIds: ["ana"] };
    const progress = progressOf([asks([anyOf(2)], false)], facts);
    expect(progress.isComplete).toBe(false);
    expect(progress.maySign).toEqual(["cleo", "dan", "eve"]);
    expect(
      progressOf([asks([anyOf(1)], false)], { ...by(), requesterMemberIds: ["ana"] }).maySign,
    ).not.toContain("ana");
  });

  it("voids a signature of someone who lost the role or left", () => {
    const people = everyone.map((person) =>
      person.id === "ana" ? { ...person, role: "VIEWER" as const } : person,
    );
    expect(progressOf([asks([anyOf(1)])], { ...by("ana"), people }).isComplete).toBe(false);
    expect(progressOf([asks([named(["ana"])])], { ...by("ana"), people: everyone.slice(1) }).isComplete).toBe(
      false,
    );
  });

  it("takes stages in their order", () => {
    const stages = [asks([named(["ana"]), named(["ben"])])];
    expect(progressOf(stages, by()).maySign).toEqual(["ana"]);
    expect(progressOf(stages, by("ana")).maySign).toEqual(["ben"]);
    expect(progressOf(stages, by("ana", "ben")).isComplete).toBe(true);
  });

  it("moves a person to a later stage where another one can take their place", () => {
    const stages = [asks([named(["ana", "ben"]), named(["ana"])])];
    const progress = progressOf(stages, by("ana"));
    expect(progress.requirements[0]?.currentStage).toBe(1);
    expect(progress.maySign).toEqual(["ben"]);
    expect(progressOf(stages, by("ana", "ben")).isComplete).toBe(true);
  });

  it("lets a deputy sign to the end of their last day, and keeps what they signed by then", () => {
    const stages = [asks([named(["ana"], 1, [{ member: "ben", until: TODAY }])])];
    expect(progressOf(stages, by()).maySign).toEqual(["ana", "ben"]);
    expect(progressOf(stages, { ...by(), today: "2026-12-01" }).maySign).toEqual(["ana"]);
    expect(progressOf(stages, { ...by("ben"), today: "2026-12-01" }).isComplete).toBe(true);
    expect(
      progressOf(stages, { ...by(), signatures: [{ memberId: "ben", on: "2026-12-01" }] }).isComplete,
    ).toBe(false);
  });

  it("needs every requirement, and one signature may serve several", () => {
    const both = [asks([anyOf(1)]), asks([anyOf(2)], false)];
    expect(progressOf(both, by("ana")).isComplete).toBe(false);
    expect(progressOf(both, by("ana", "ben")).isComplete).toBe(true);
    const apart = [asks([named(["ana"])]), asks([named(["ben"])])];
    expect(progressOf(apart, by())).toMatchObject({ maySign: ["ana", "ben"], wouldComplete: [] });
    expect(progressOf(apart, by("ana")).wouldComplete).toEqual(["ben"]);
  });
});

const stageArbitrary: fc.Arbitrary<Stage> = fc.record({
  of: fc.oneof(
    fc.record({ roles: fc.constantFrom<SignerRole[]>(["OWNER"], ["OWNER", "CO_OWNER"]) }),
    fc.record({ members: fc.uniqueArray(fc.constantFrom(...PEOPLE), { minLength: 1, maxLength: 4 }) }),
  ),
  atLeast: fc.integer({ min: 1, max: 3 }),
  deputies: fc.array(
    fc.record({
      member: fc.constantFrom(...PEOPLE),
      until: fc.constantFrom("2026-11-29", TODAY, "2026-12-01"),
    }),
    { maxLength: 2 },
  ),
});
const requirementArbitrary: fc.Arbitrary<Requirement> = fc.record({
  stages: fc.array(stageArbitrary, { minLength: 1, maxLength: 3 }),
  requesterCounts: fc.boolean(),
  expiresAfterHours: fc.constant(24),
});
const factsArbitrary: fc.Arbitrary<ProgressFacts> = fc.record({
  signatures: fc.array(
    fc.record({ memberId: fc.constantFrom(...PEOPLE, "stranger"), on: fc.constantFrom("2026-11-29", TODAY) }),
    { maxLength: 6 },
  ),
  people: fc.tuple(
    ...PEOPLE.map((id) =>
      fc.record({
        id: fc.constant(id),
        role: fc.constantFrom("OWNER" as const, "CO_OWNER" as const, "VIEWER" as const),
        isActive: fc.constantFrom(true, true, true, false),
      }),
    ),
  ),
  requesterMemberIds: fc.subarray(PEOPLE, { maxLength: 2 }),
  today: fc.constant(TODAY),
});

/** By trying every way of giving each signer one place or none: independent of the product. */
function canBeMet(requirement: Requirement, facts: ProgressFacts): boolean {
  const last = new Map(facts.signatures.map(({ memberId, on }) => [memberId, on]));
  const signers = [...last].flatMap(([memberId, on]) => {
    const person = facts.people.find(({ id }) => id === memberId);
    const isLiving = person?.isActive === true && person.role !== "VIEWER";
    const isExcluded = !requirement.requesterCounts && facts.requesterMemberIds.includes(memberId);
    return person && isLiving && !isExcluded ? [{ ...person, on }] : [];
  });
  const left = requirement.stages.map(({ atLeast }) => atLeast);
  const tryFrom = (index: number): boolean => {
    if (left.every((count) => count === 0)) return true;
    const signer = signers[index];
    if (!signer) return false;
    if (tryFrom(index + 1)) return true;
    return requirement.stages.some((stage, place) => {
      const isNamed =
        "roles" in stage.of
          ? stage.of.roles.some((role) => role === signer.role)
          : stage.of.members.includes(signer.id);
      const stands = stage.deputies.some(({ member, until }) => member === signer.id && signer.on <= until);
      if ((left[place] ?? 0) === 0 || !(isNamed || stands)) return false;
      left[place] = (left[place] ?? 0) - 1;
      const isMet = tryFrom(index + 1);
      left[place] = (left[place] ?? 0) + 1;
      return isMet;
    });
  };
  return tryFrom(0);
}

describe("for any requirements, people and signatures", () => {
  it("is complete exactly when every requirement is met by distinct, eligible, living signatures", () => {
    fc.assert(
      fc.property(
        fc.array(requirementArbitrary, { minLength: 1, maxLength: 2 }),
        factsArbitrary,
        (requirements, facts) => {
          const expected = requirements.every((requirement) => canBeMet(requirement, facts));
          expect(progressOf(requirements, facts).isComplete).toBe(expected);
        },
      ),
      { numRuns: proofSize(500, 20_000) },
    );
  });

  it("does not depend on the order of signatures, and a further one never makes it worse", () => {
    fc.assert(
      fc.property(requirementArbitrary, factsArbitrary, (requirement, facts) => {
        const unique = [...new Map(facts.signatures.map((given) => [given.memberId, given])).values()];
        const counts = (signatures: ProgressFacts["signatures"]) =>
          progressOf([requirement], { ...facts, signatures }).requirements[0]?.stages.map(
            ({ memberIds }) => memberIds.length,
          ) ?? [];
        const all = counts(unique);
        expect(counts(unique.toReversed())).toEqual(all);
        const sum = (some: number[]) => some.reduce((total, count) => total + count, 0);
        expect(sum(counts(unique.slice(1)))).toBeLessThanOrEqual(sum(all));
      }),
      { numRuns: proofSize(500, 20_000) },
    );
  });

  it("counts nobody twice in one requirement, and anyone who may sign makes it better", () => {
    fc.assert(
      fc.property(requirementArbitrary, factsArbitrary, (requirement, facts) => {
        const progress = progressOf([requirement], facts);
        const waits = progress.isComplete ? [] : progress.maySign;
        const counted = progress.requirements[0]?.stages.flatMap(({ memberIds }) => memberIds) ?? [];
        expect(new Set(counted).size).toBe(counted.length);
        for (const memberId of waits) {
          const signatures = [...facts.signatures, { memberId, on: TODAY }];
          const after = progressOf([requirement], { ...facts, signatures });
          expect(after.requirements[0]?.missingCount).toBeLessThan(
            progress.requirements[0]?.missingCount ?? 0,
          );
          expect(after.isComplete).toBe(progress.wouldComplete.includes(memberId));
        }
      }),
      { numRuns: proofSize(300, 10_000) },
    );
  });
});
