import { MAXIMUM_TRANSFER_IN_CENTS } from "@/lib/contract/limits";
import {
  MOVES_NOTHING,
  type Policy,
  type PolicyKind,
  type PolicyWhen,
  type PolicyWindow,
} from "@/lib/contract/policies/policy";
import type { TransferDirection } from "@/lib/contract/transfer";
import { matchPolicy, type PolicyFacts, type PolicyRequester } from "@/lib/engine/policies/match-policy";

export type Reach = { kind: "REACHED"; witness: PolicyFacts } | { kind: "NEVER" } | { kind: "NOT_DECIDED" };

interface Known {
  people: readonly { id: string }[];
  requesters: readonly PolicyRequester[];
}

/** Cases that are looked at for one rule; above it, nothing is claimed. */
const MAXIMUM_CASES = 5_000;

/** An id that no policy names. */
const OTHER = "00000000-0000-0000-0000-000000000000";

/**
 * Facts of a proposal that the rule at `index` is the first to match; or that there are none. Accounts and requesters are
 * split into those that the policy tells apart, and "any other"; every combination of these is looked at. Among amounts,
 * the smallest that the rule matches decides, since no condition asks for a small one. A witness is confirmed by
 * `matchPolicy` itself.
 */
export function findWitness(policy: Policy, index: number, known: Known): Reach {
  const rule = policy.rules[index];
  if (!rule) return { kind: "NEVER" };
  const whens = policy.rules.slice(0, index + 1).map(({ when }) => when);
  let isCut = false;
  for (const shape of SHAPES) {
    const cases = casesOf(whens, shape, known);
    if (cases === null) isCut = true;
    for (const { facts } of cases ?? []) {
      const amounts = smallestAmounts(rule.when, shape);
      const witness = amounts && { ...EMPTY, ...facts, kind: shape.kind, ...amounts };
      if (witness && isFirst(policy, index, witness)) {
        return { kind: "REACHED", witness };
      }
    }
  }
  return isCut ? { kind: "NOT_DECIDED" } : { kind: "NEVER" };
}

const isFirst = (policy: Policy, index: number, facts: PolicyFacts) =>
  matchPolicy(policy, facts).ruleIndex === index;

const EMPTY: PolicyFacts = {
  kind: "TRANSFER",
  payee: null,
  amountInCents: 0,
  windowSums: () => 0,
  sourceAccountIds: [],
  destinationAccountIds: [],
  requester: { kind: "MEMBER", id: null, memberIds: [] },
  directions: [],
};

/** A sort of proposal. A run with many destinations has less to each of them than in all. */
interface Shape {
  kind: PolicyKind;
  hasManyDestinations: boolean;
}

const SHAPES: readonly Shape[] = [
  { kind: "TRANSFER", hasManyDestinations: false },
  { kind: "RUN", hasManyDestinations: false },
  { kind: "RUN", hasManyDestinations: true },
  { kind: "PAYEE", hasManyDestinations: false },
  { kind: "RULE", hasManyDestinations: true },
  { kind: "LIMIT", hasManyDestinations: false },
  { kind: "KEY", hasManyDestinations: true },
  { kind: "POLICY", hasManyDestinations: false },
];

type Part = Partial<PolicyFacts>;
/** One value of one condition, or of two that depend on each other. */
type Choice = { facts: Part; holds: (when: PolicyWhen) => boolean };

interface Case {
  facts: Part;
  /** A bit for each earlier rule whose conditions hold, apart from amounts. */
  held: number;
}

/** Combinations in which the last rule holds, apart from amounts; without those that hold more earlier ones than another. */
function casesOf(whens: readonly PolicyWhen[], shape: Shape, known: Known): Case[] | null {
  const last = whens.length - 1;
  const everything = 2 ** last - 1;
  let cases: Case[] = [{ facts: {}, held: everything }];
  for (const choices of [kindChoices(shape), ...partChoices(whens, shape, known)]) {
    const open = choices
      .filter(({ holds }) => whens[last] !== undefined && holds(whens[last]))
      .map(({ facts, holds }) => ({
        facts,
        held: whens.slice(0, last).reduce((bits, when, at) => (holds(when) ? bits | (1 << at) : bits), 0),
      }));
    const fewest = smallest(open);
    if (fewest.length * cases.length > MAXIMUM_CASES) return null;
    cases = smallest(
      cases.flatMap((one) =>
        fewest.map((other) => ({ facts: { ...one.facts, ...other.facts }, held: one.held & other.held })),
      ),
    );
  }
  return cases;
}

/** Leaves out a case if another one holds only rules that it holds too: it cannot be a witness where that one is not. */
function smallest(cases: readonly Case[]): Case[] {
  const unique = [...new Map(cases.map((each) => [each.held, each])).values()];
  return unique.filter(
    ({ held }) => !unique.some((other) => other.held !== held && (other.held & held) === other.held),
  );
}

function kindChoices({ kind }: Shape): Choice[] {
  return [{ facts: { kind }, holds: ({ kinds }) => kinds?.includes(kind) ?? true }];
}

function partChoices(whens: readonly PolicyWhen[], shape: Shape, known: Known): Choice[][] {
  if (shape.kind === "POLICY") {
    return [
      [
        {
          facts: {},
          holds: (when) =>
            when.payee === undefined &&
            when.amountOver === undefined &&
            when.sourceAccountIds === undefined &&
            when.destinationAccountIds === undefined &&
            when.directions === undefined,
        },
      ],
      requesterChoices(whens, known, ["MEMBER"]),
    ];
  }
  if (shape.kind === "PAYEE") {
    return [
      changeChoices(["NEW", "CHANGED"]),
      [{ facts: { sourceAccountIds: [] }, holds: (when) => when.sourceAccountIds === undefined }],
      accountChoices(whens, "destinationAccountIds", true),
      requesterChoices(whens, known, ["API_KEY", "ASSISTANT", "MEMBER"]),
    ];
  }
  if (shape.kind === "LIMIT") {
    return [
      changeChoices([null]),
      accountChoices(whens, "sourceAccountIds", true),
      [{ facts: { destinationAccountIds: [] }, holds: (when) => when.destinationAccountIds === undefined }],
      requesterChoices(whens, known, ["MEMBER"]),
    ];
  }
  if (shape.kind === "KEY") {
    return [
      changeChoices([null]),
      accountChoices(whens, "sourceAccountIds", true),
      accountChoices(whens, "destinationAccountIds", true),
      requesterChoices(whens, known, ["MEMBER"]),
    ];
  }
  if (shape.kind === "RULE") {
    return [
      changeChoices([null, "NEW", "CHANGED"]),
      accountChoices(whens, "sourceAccountIds", true),
      accountChoices(whens, "destinationAccountIds", true),
      requesterChoices(whens, known, ["API_KEY", "ASSISTANT", "MEMBER"]),
    ];
  }
  return [
    routeChoices(shape),
    accountChoices(whens, "sourceAccountIds", true),
    accountChoices(whens, "destinationAccountIds", !shape.hasManyDestinations),
    requesterChoices(whens, known, ["API_KEY", "ASSISTANT", "MEMBER", "RULE"]),
  ];
}

/** A change has no amount and no direction, so conditions on these never hold. */
function changeChoices(payees: readonly PolicyFacts["payee"][]): Choice[] {
  return payees.map((payee) => ({
    facts: { payee, directions: [] },
    holds: (when) =>
      (when.payee === undefined || (payee !== null && when.payee.includes(payee))) &&
      when.directions === undefined &&
      when.amountOver === undefined,
  }));
}

/** Only money that goes out reaches a payee or a registered account; a run may do several things at once. */
function routeChoices({ kind }: Shape): Choice[] {
  const single: TransferDirection[][] = [["INTERNAL"], ["MONEY_IN"], ["MONEY_OUT"]];
  const several: TransferDirection[][] = [
    ["INTERNAL", "MONEY_OUT"],
    ["MONEY_IN", "MONEY_OUT"],
    ["INTERNAL", "MONEY_IN", "MONEY_OUT"],
  ];
  const routes = kind === "RUN" ? [...single, ...several] : single;
  return routes.flatMap((directions) => {
    const payees = directions.includes("MONEY_OUT") ? ([null, "NEW", "CHANGED"] as const) : ([null] as const);
    return payees.map((payee) => ({
      facts: { directions, payee },
      holds: (when: PolicyWhen) =>
        (when.payee === undefined || (payee !== null && when.payee.includes(payee))) &&
        (when.directions === undefined || directions.some((one) => when.directions?.includes(one))),
    }));
  });
}

/** Each account that a rule names, and any other: one is enough, since more of them hold more conditions. */
function accountChoices(
  whens: readonly PolicyWhen[],
  field: "sourceAccountIds" | "destinationAccountIds",
  takesNamed: boolean,
): Choice[] {
  const named = takesNamed ? whens.flatMap((when) => when[field] ?? []) : [];
  return [...new Set([...named, OTHER])].map((id) => ({
    facts: { [field]: [id] },
    holds: (when) => when[field]?.includes(id) ?? true,
  }));
}

function requesterChoices(
  whens: readonly PolicyWhen[],
  { people, requesters }: Known,
  kinds: readonly PolicyRequester["kind"][],
): Choice[] {
  const named = new Set(whens.flatMap((when) => when.requesters?.ids ?? []));
  const all = kinds.flatMap((kind) => [
    { kind, id: OTHER, memberIds: [] },
    ...[...named]
      .filter((id) => kindsOf(id, people, requesters).includes(kind))
      .map((id) => ({ kind, id, memberIds: [] })),
  ]);
  return all.map((requester) => ({
    facts: { requester },
    holds: ({ requesters: asked }) =>
      (asked?.kinds?.includes(requester.kind) ?? true) && (asked?.ids?.includes(requester.id) ?? true),
  }));
}

/** An id that is no longer known never asks again. */
function kindsOf(
  id: string,
  people: Known["people"],
  requesters: Known["requesters"],
): PolicyRequester["kind"][] {
  if (people.some((person) => person.id === id)) return ["MEMBER"];
  return requesters.filter((requester) => requester.id === id).map(({ kind }) => kind);
}

/** The smallest amount and sums under which the rule holds; null: it can hold under none. */
function smallestAmounts(
  { amountOver, window }: PolicyWhen,
  { kind, hasManyDestinations }: Shape,
): Pick<PolicyFacts, "amountInCents" | "windowSums"> | null {
  if (MOVES_NOTHING.has(kind)) {
    return amountOver === undefined ? { amountInCents: 0, windowSums: () => 0 } : null;
  }
  const needed = amountOver === undefined ? 1 : amountOver + 1;
  if (!window) {
    if (kind === "TRANSFER" && needed > MAXIMUM_TRANSFER_IN_CENTS) return null;
    return {
      amountInCents: needed,
      windowSums: ({ by }) => (hasManyDestinations && by.includes("destination") ? 1 : needed),
    };
  }
  return { amountInCents: 1, windowSums: (other) => (isWithin(window, other) ? needed : 1) };
}

/** Whether the other window counts all that this one counts. */
function isWithin(window: PolicyWindow, other: PolicyWindow): boolean {
  return other.days >= window.days && other.by.every((one) => window.by.includes(one));
}
