import type { Policy, PolicyRule, Requirement, Stage } from "@/lib/contract/policies/policy";
import { findWitness } from "@/lib/engine/policies/find-witness";
import type { PolicyRequester } from "@/lib/engine/policies/match-policy";
import { requirementOfChange } from "@/lib/engine/policies/policy-change";
import { type PossibleSigner, progressOf } from "@/lib/engine/policies/progress-of";

/** What a policy is checked against. */
export interface LintFacts {
  /** Every member of the organization. */
  people: readonly PossibleSigner[];
  /** The keys, connections and rules that it names, as far as they exist. */
  requesters: readonly PolicyRequester[];
  /** In the organization's time zone. */
  today: string;
}

/** `rule` is a position in the policy; null is what it says otherwise. */
export type PolicyFinding =
  /** Forbids publishing. `caughtBy` are the earlier rules that match whatever it matches; none: its own conditions exclude one another. */
  | { kind: "NEVER_REACHED"; rule: number; caughtBy: number[] }
  /** Forbids publishing: for these requesters, or for everyone; `after` a deputy's last day, or at once. */
  | {
      kind: "NOBODY_CAN_SIGN";
      rule: number | null;
      requesterIds: string[] | "ANYONE";
      after: string | null;
    }
  /** Forbids publishing. */
  | { kind: "ALONE"; memberId: string }
  /** To look at: whether it is reached was not decided within the bound. */
  | { kind: "NOT_DECIDED"; rule: number }
  | { kind: "NOBODY_WHEN_AWAY"; rule: number | null; awayIds: string[] }
  /** Only one person may sign, so that one may replace it. */
  | { kind: "ONE_PERSON"; memberId: string }
  | { kind: "CANNOT_SIGN"; rule: number | null; memberId: string }
  | {
      kind: "DEPUTY_ENDS";
      rule: number | null;
      deputyId: string;
      until: string;
      isOver: boolean;
      leftIds: string[];
    };

const ERRORS: ReadonlySet<PolicyFinding["kind"]> = new Set(["NEVER_REACHED", "NOBODY_CAN_SIGN", "ALONE"]);

/** Whether it must be fixed before the policy can be published. */
export function forbidsPublishing({ kind }: PolicyFinding): boolean {
  return ERRORS.has(kind);
}

export interface PolicyLint {
  findings: PolicyFinding[];
  /** People that it needs to be replaced. */
  peopleToReplace: number;
}

/** How long before its last day a deputy is pointed out. */
const SOON_DAYS = 31;
const DAY_MS = 86_400_000;

/**
 * What is wrong with a policy, and what to look at. Proven by enumeration: for each rule, facts that only it catches, or
 * none; for each rule and possible requester, that people who may sign are enough, also with any one of them away, and after
 * each deputy's last day; for each author, that their signature alone does not replace it.
 */
export function lintPolicy(policy: Policy, facts: LintFacts): PolicyLint {
  const requirements = [
    ...policy.rules.map((rule, index) => ({ rule: index, requirement: rule, when: rule.when })),
    { rule: null, requirement: policy.otherwise, when: undefined },
  ];
  const findings: PolicyFinding[] = [
    ...policy.rules.flatMap((_, index) => lintReach(policy, index, facts)),
    ...requirements.flatMap((each) => lintSigners(each, facts)),
    ...lintAuthors(policy, facts),
    ...requirements.flatMap(({ rule, requirement }) => lintPeople(rule, requirement, facts)),
  ];
  return { findings, peopleToReplace: countToReplace(policy, facts) };
}

function lintReach(policy: Policy, index: number, facts: LintFacts): PolicyFinding[] {
  const reach = findWitness(policy, index, facts);
  if (reach.kind === "REACHED") return [];
  if (reach.kind === "NOT_DECIDED") return [{ kind: "NOT_DECIDED", rule: index }];
  return [{ kind: "NEVER_REACHED", rule: index, caughtBy: catchersOf(policy, index, facts) }];
}

/** One rule that catches all of it, if there is one; otherwise all that are needed for it, found by leaving each out. */
function catchersOf(policy: Policy, index: number, facts: LintFacts): number[] {
  const reachedAfter = (earlier: readonly number[]) => {
    const rules = [...earlier, index].flatMap((at) => policy.rules[at] ?? []);
    return findWitness({ ...policy, rules }, rules.length - 1, facts).kind !== "NEVER";
  };
  if (!reachedAfter([])) return [];
  const earlier = Array.from({ length: index }, (_, at) => at);
  const single = earlier.find((at) => !reachedAfter([at]));
  if (single !== undefined) return [single];
  let needed = earlier;
  for (const at of earlier) {
    const without = needed.filter((other) => other !== at);
    if (!reachedAfter(without)) needed = without;
  }
  return needed;
}

interface Checked {
  rule: number | null;
  requirement: Requirement;
  when: PolicyRule["when"] | undefined;
}

function lintSigners({ rule, requirement, when }: Checked, facts: LintFacts): PolicyFinding[] {
  const deciders = facts.people.filter(isDecider);
  const requesters = requirement.requesterCounts ? [[]] : excludedSets(when, facts);
  const canSign = (excluded: readonly string[], awayId: string | null, day: string) =>
    isPossible(
      requirement,
      deciders.filter(({ id }) => id !== awayId),
      excluded,
      day,
    );
  for (const after of [null, ...lastDays(requirement, facts.today)]) {
    const day = after === null ? facts.today : dayAfter(after);
    const stuck = requesters.filter((excluded) => !canSign(excluded, null, day));
    if (stuck.length === 0) continue;
    const isEveryone = stuck.length === requesters.length;
    const requesterIds = isEveryone ? "ANYONE" : [...new Set(stuck.flat())];
    return [{ kind: "NOBODY_CAN_SIGN", rule, requesterIds, after }];
  }
  const awayIds = deciders
    .map(({ id }) => id)
    // Who is away asks for nothing themself.
    .filter((id) =>
      requesters.some((excluded) => !excluded.includes(id) && !canSign(excluded, id, facts.today)),
    );
  return awayIds.length === 0 ? [] : [{ kind: "NOBODY_WHEN_AWAY", rule, awayIds }];
}

/** Who does not count for some possible requester, each set once; the empty one stands for all others. */
function excludedSets(when: PolicyRule["when"] | undefined, facts: LintFacts): string[][] {
  const sets = possibleRequesters(when, facts).map(({ memberIds }) =>
    facts.people.filter((person) => isDecider(person) && memberIds.includes(person.id)).map(({ id }) => id),
  );
  const unique = new Map(sets.map((ids) => [ids.join(), ids]));
  return unique.size === 0 ? [[]] : [...unique.values()];
}

function possibleRequesters(when: PolicyRule["when"] | undefined, facts: LintFacts): PolicyRequester[] {
  const deciders = facts.people.filter(isDecider);
  const isOfPolicy = when?.kinds?.every((kind) => kind === "POLICY") ?? false;
  const members = deciders.map(({ id }) => ({ kind: "MEMBER", id, memberIds: [id] }) as const);
  const programs = deciders.flatMap(({ id }) => [
    { kind: "API_KEY", id: null, memberIds: [id] } as const,
    { kind: "ASSISTANT", id: null, memberIds: [id] } as const,
  ]);
  const all: PolicyRequester[] = isOfPolicy
    ? members
    : [...members, ...programs, { kind: "RULE", id: null, memberIds: [] }, ...facts.requesters];
  const { kinds, ids } = when?.requesters ?? {};
  const named = all.filter(
    ({ kind, id }) =>
      (kinds?.includes(kind) ?? true) && (ids === undefined || (id !== null && ids.includes(id))),
  );
  return named;
}

function isPossible(
  requirement: Requirement,
  people: readonly PossibleSigner[],
  requesterMemberIds: readonly string[],
  today: string,
): boolean {
  const signatures = people.map(({ id }) => ({ memberId: id, on: today }));
  return progressOf([requirement], { signatures, people, requesterMemberIds, today }).isComplete;
}

/** The last days of its deputies from today on, each once. */
function lastDays({ stages }: Requirement, today: string): string[] {
  const days = stages.flatMap(({ deputies }) => deputies.map(({ until }) => until));
  return [...new Set(days)].filter((day) => day >= today).sort();
}

function dayAfter(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10);
}

function isDecider({ role, isActive }: PossibleSigner): boolean {
  return isActive && (role === "OWNER" || role === "CO_OWNER");
}

function lintAuthors(policy: Policy, { people, today }: LintFacts): PolicyFinding[] {
  const deciders = people.filter(isDecider);
  const alone = deciders.filter(({ id }) => {
    const { requirement } = requirementOfChange(policy, id, people);
    const signatures = [{ memberId: id, on: today }];
    return progressOf([requirement], { signatures, people, requesterMemberIds: [id], today }).isComplete;
  });
  return alone.map(({ id }) =>
    deciders.length === 1 ? { kind: "ONE_PERSON", memberId: id } : { kind: "ALONE", memberId: id },
  );
}

/** The fewest people over all who could ask for it. */
function countToReplace(policy: Policy, { people }: LintFacts): number {
  const counts = people
    .filter(isDecider)
    .map(({ id }) => sumOf(requirementOfChange(policy, id, people).requirement));
  return counts.length === 0 ? 1 : Math.min(...counts);
}

const sumOf = ({ stages }: Requirement) => stages.reduce((sum, { atLeast }) => sum + atLeast, 0);

function lintPeople(rule: number | null, requirement: Requirement, facts: LintFacts): PolicyFinding[] {
  const named = requirement.stages.flatMap(({ of, deputies }) => [
    ...("members" in of ? of.members : []),
    ...deputies.map(({ member }) => member),
  ]);
  const cannot = [...new Set(named)].filter(
    (id) => !facts.people.some((person) => person.id === id && isDecider(person)),
  );
  return [
    ...cannot.map((memberId): PolicyFinding => ({ kind: "CANNOT_SIGN", rule, memberId })),
    ...requirement.stages.flatMap((stage) => lintDeputies(rule, stage, facts)),
  ];
}

function lintDeputies(rule: number | null, stage: Stage, { people, today }: LintFacts): PolicyFinding[] {
  const soon = new Date(Date.parse(`${today}T00:00:00Z`) + SOON_DAYS * DAY_MS).toISOString().slice(0, 10);
  return stage.deputies
    .filter(({ until }) => until < soon)
    .map(({ member, until }) => ({
      kind: "DEPUTY_ENDS",
      rule,
      deputyId: member,
      until,
      isOver: until < today,
      leftIds: people.filter(isDecider).flatMap(({ id, role }) => {
        const isNamed =
          "roles" in stage.of
            ? stage.of.roles.some((named) => named === role)
            : stage.of.members.includes(id);
        return isNamed || stage.deputies.some((other) => other.member === id && other.until > until)
          ? [id]
          : [];
      }),
    }));
}
