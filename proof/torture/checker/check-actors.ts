import type { Called, HistoryEvent, Violation } from "@/proof/torture/checker/history";

export type Step = Called["operation"] | "decide";

/** What became of all attempts at one step. */
export interface Outcomes {
  accepted: number;
  /** Refused, failed, or without an answer over a connection that stood. */
  refused: number;
  /** Cut off, as by a process that was killed: no answer, and it may have taken effect. */
  cut: number;
  /** How often each reason was given for what counts as refused: a code, a sentence, or why nothing is known. */
  reasons: Record<string, number>;
}

export type Steps = Partial<Record<Step, Outcomes>>;

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
export function checkActors(steps: Steps): Violation[] {
  return Object.entries(LEAST_ACCEPTED).flatMap(([step, least]) => {
    const outcomes = steps[step as Step] ?? noOutcomes();
    if (isDone(outcomes, least)) return [];
    const { accepted, refused, cut, reasons } = outcomes;
    const why = refused > 0 ? ` (${reasonWords(reasons)})` : "";
    return [
      {
        promise: "every actor acts",
        what: `of ${accepted + refused + cut} times ${step}, ${accepted} were accepted, ${refused} refused${why}, ${cut} cut off`,
      },
    ];
  });
}

/**
 * Whether every step was accepted as many times as the proof needs. Of shares it says nothing: a seed that went on until
 * they are reached would choose its end by them.
 */
export function isEnough(steps: Steps): boolean {
  return Object.entries(LEAST_ACCEPTED).every(
    ([step, { count }]) => (steps[step as Step]?.accepted ?? 0) >= count,
  );
}

/** `FAILED 2, ACCESS_DENIED 1`, the most frequent first. */
export function reasonWords(reasons: Outcomes["reasons"]): string {
  return Object.entries(reasons)
    .sort(([, left], [, right]) => right - left)
    .map(([reason, count]) => `${reason} ${count}`)
    .join(", ");
}

function isDone({ accepted, refused, cut }: Outcomes, { share, count }: Least): boolean {
  const answered = accepted + refused;
  if (accepted < count) return false;
  if (accepted === 0 && answered + cut >= ENOUGH_ATTEMPTS) return false;
  return answered < ENOUGH_ANSWERS || accepted >= answered * share;
}

/** How often each step was accepted, refused and cut off. */
export function countSteps(history: readonly HistoryEvent[]): Steps {
  const { steps, count } = createStepCounter();
  for (const event of history) count(event);
  return steps;
}

interface StepCounter {
  /** So far. */
  steps: Steps;
  count(event: HistoryEvent): void;
}

/**
 * Counts while a seed is running: each call comes before its answer. A call that is repeated under its idempotency key
 * counts as refused once: while the database is down, an actor repeats the same call a dozen times.
 */
export function createStepCounter(): StepCounter {
  const steps: Steps = {};
  const calls = new Map<number, { step: Step; idempotencyKey: string | null }>();
  const refusedKeys = new Set<string>();
  const outcomesOf = (call: number) => {
    const step = calls.get(call)?.step;
    if (step === undefined) return noOutcomes();
    const outcomes = steps[step] ?? noOutcomes();
    steps[step] = outcomes;
    return outcomes;
  };
  const refuse = (call: number, reason: string) => {
    const key = calls.get(call)?.idempotencyKey ?? null;
    if (key !== null && refusedKeys.has(key)) return;
    if (key !== null) refusedKeys.add(key);
    const outcomes = outcomesOf(call);
    outcomes.refused += 1;
    outcomes.reasons[reason] = (outcomes.reasons[reason] ?? 0) + 1;
  };
  const count = (event: HistoryEvent) => {
    if (event.kind === "called")
      calls.set(event.call, { step: event.operation, idempotencyKey: event.idempotencyKey });
    else if (event.kind === "decided") calls.set(event.call, { step: "decide", idempotencyKey: null });
    else if (event.kind === "answered") {
      if (event.status >= 200 && event.status < 300) outcomesOf(event.call).accepted += 1;
      else refuse(event.call, reasonOf(event.refusal));
    } else if (event.kind === "unanswered" || event.kind === "verdict") {
      if (event.because === "CUT") outcomesOf(event.call).cut += 1;
      else if (event.because !== null) refuse(event.call, event.because);
      else if (event.result === "DECIDED") outcomesOf(event.call).accepted += 1;
      else refuse(event.call, reasonOf(event.refusal));
    }
  };
  return { steps, count };
}

const noOutcomes = (): Outcomes => ({ accepted: 0, refused: 0, cut: 0, reasons: {} });

/** A sentence names few enough things to count, and starts with them. */
const REASON_CHARACTERS = 60;

/** The code of a refusal; where that says nothing more than that it is one, the beginning of its sentence. */
function reasonOf(refusal: string | null): string {
  const [, code, sentence] = refusal?.match(/^([A-Z_]+)(?:: (.*))?$/s) ?? [];
  if (code === "REFUSED" && sentence) return `"${sentence.slice(0, REASON_CHARACTERS)}"`;
  return code ?? "without a reason";
}
