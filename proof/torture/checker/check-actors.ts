import { type Called, eventsOf, type HistoryEvent, type Violation } from "@/proof/torture/checker/history";

export type Step = Called["operation"] | "decide";

/** What became of all attempts at one step. */
export interface Outcomes {
  accepted: number;
  refused: number;
  /** Without an answer: it may have taken effect. */
  lost: number;
}

/**
 * The least share of attempts that must be accepted. A step that is refused each time does nothing, and then a run
 * without a violation proves nothing about it. Low where losing is part of the game: two members decide one proposal,
 * and gates are opened until they are open.
 */
const LEAST_ACCEPTED: Record<Step, number> = {
  createTransfer: 0.4,
  triggerRule: 0.3,
  createAccount: 0.4,
  getTransfer: 0.4,
  cancelTransfer: 0.02,
  revokeKey: 0.02,
  closeGates: 0.2,
  openGates: 0.02,
  // At a bank outside, which is down at times.
  deposit: 0.2,
  moveClock: 0.4,
  silence: 0.4,
  decide: 0.2,
};

/** With fewer attempts, faults alone explain why all of them failed. */
const ENOUGH_ATTEMPTS = 12;

/** Every step that actors took often enough was accepted often enough to count as done. */
export function checkActors(steps: Partial<Record<Step, Outcomes>>): Violation[] {
  return Object.entries(LEAST_ACCEPTED).flatMap(([step, least]) => {
    const { accepted, refused, lost } = steps[step as Step] ?? { accepted: 0, refused: 0, lost: 0 };
    const attempts = accepted + refused + lost;
    if (attempts < ENOUGH_ATTEMPTS || accepted >= attempts * least) return [];
    return [
      {
        promise: "every actor acts",
        what: `of ${attempts} times ${step}, ${accepted} were accepted, ${refused} refused, ${lost} without an answer`,
      },
    ];
  });
}

/** How often each step was accepted, refused and without an answer. */
export function countSteps(history: readonly HistoryEvent[]): Partial<Record<Step, Outcomes>> {
  const steps: Partial<Record<Step, Outcomes>> = {};
  const stepOf = new Map<number, Step>();
  const count = (call: number, outcome: keyof Outcomes) => {
    const step = stepOf.get(call);
    if (step === undefined) return;
    const outcomes = steps[step] ?? { accepted: 0, refused: 0, lost: 0 };
    outcomes[outcome] += 1;
    steps[step] = outcomes;
  };
  for (const { call, operation } of eventsOf(history, "called")) stepOf.set(call, operation);
  for (const { call } of eventsOf(history, "decided")) stepOf.set(call, "decide");
  for (const { call, status } of eventsOf(history, "answered")) {
    count(call, status >= 200 && status < 300 ? "accepted" : "refused");
  }
  for (const { call } of eventsOf(history, "unanswered")) count(call, "lost");
  for (const { call, result } of eventsOf(history, "verdict")) {
    count(call, result === null ? "lost" : result === "DECIDED" ? "accepted" : "refused");
  }
  return steps;
}
