import { type Called, eventsOf, type HistoryEvent, type Violation } from "@/proof/torture/checker/history";

export type Step = Called["operation"] | "decide";

/** What became of all attempts at one step. */
export interface Outcomes {
  accepted: number;
  /** Refused, failed, or without an answer over a connection that stood. */
  refused: number;
  /** Cut off, as by a process that was killed: no answer, and it may have taken effect. */
  cut: number;
}

interface Least {
  /** Of the answered ones. */
  share: number;
  /** In a whole seed; 0: chance may leave a seed without it. */
  count: number;
}

/**
 * What must be accepted of each step. A step that is refused each time does nothing, and then a run without a violation
 * proves nothing about it. The share is low where losing is part of the game: two members decide one proposal, and gates
 * are opened until they are open. The count is what faults leave on the slowest machine: a seed in which all attempts
 * are cut off proves nothing either.
 */
const LEAST_ACCEPTED: Record<Step, Least> = {
  createTransfer: { share: 0.4, count: 100 },
  triggerRule: { share: 0.3, count: 10 },
  createAccount: { share: 0.4, count: 5 },
  getTransfer: { share: 0.4, count: 10 },
  cancelTransfer: { share: 0.02, count: 1 },
  revokeKey: { share: 0.02, count: 0 },
  closeGates: { share: 0.2, count: 0 },
  openGates: { share: 0.02, count: 0 },
  // At a bank outside, which is down at times.
  deposit: { share: 0.2, count: 10 },
  moveClock: { share: 0.4, count: 0 },
  silence: { share: 0.4, count: 0 },
  proposeMandate: { share: 0.4, count: 2 },
  // A signature whose answer was lost is refused when it is given again.
  signMandate: { share: 0.2, count: 2 },
  endMandate: { share: 0.2, count: 1 },
  decide: { share: 0.2, count: 10 },
};

/** With fewer answers, faults alone explain why all of them were refusals. */
const ENOUGH_ANSWERS = 12;
/** So many attempts, and none accepted: neither chance nor a fault explains that. */
const ENOUGH_ATTEMPTS = 60;

/** Every step was accepted often enough to count as done, and as many times as the proof needs. */
export function checkActors(steps: Partial<Record<Step, Outcomes>>): Violation[] {
  return Object.entries(LEAST_ACCEPTED).flatMap(([step, least]) => {
    const outcomes = steps[step as Step] ?? { accepted: 0, refused: 0, cut: 0 };
    if (isDone(outcomes, least)) return [];
    const { accepted, refused, cut } = outcomes;
    return [
      {
        promise: "every actor acts",
        what: `of ${accepted + refused + cut} times ${step}, ${accepted} were accepted, ${refused} refused, ${cut} cut off`,
      },
    ];
  });
}

function isDone({ accepted, refused, cut }: Outcomes, { share, count }: Least): boolean {
  const answered = accepted + refused;
  if (accepted < count) return false;
  if (accepted === 0 && answered + cut >= ENOUGH_ATTEMPTS) return false;
  return answered < ENOUGH_ANSWERS || accepted >= answered * share;
}

/** How often each step was accepted, refused and cut off. */
export function countSteps(history: readonly HistoryEvent[]): Partial<Record<Step, Outcomes>> {
  const steps: Partial<Record<Step, Outcomes>> = {};
  const stepOf = new Map<number, Step>();
  const count = (call: number, outcome: keyof Outcomes) => {
    const step = stepOf.get(call);
    if (step === undefined) return;
    const outcomes = steps[step] ?? { accepted: 0, refused: 0, cut: 0 };
    outcomes[outcome] += 1;
    steps[step] = outcomes;
  };
  for (const { call, operation } of eventsOf(history, "called")) stepOf.set(call, operation);
  for (const { call } of eventsOf(history, "decided")) stepOf.set(call, "decide");
  for (const { call, status } of eventsOf(history, "answered")) {
    count(call, status >= 200 && status < 300 ? "accepted" : "refused");
  }
  for (const { call, because } of eventsOf(history, "unanswered")) {
    count(call, because === "CUT" ? "cut" : "refused");
  }
  for (const { call, result, because } of eventsOf(history, "verdict")) {
    count(call, because === "CUT" ? "cut" : result === "DECIDED" ? "accepted" : "refused");
  }
  return steps;
}
