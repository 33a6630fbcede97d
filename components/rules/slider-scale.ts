import type { IncomingThreshold } from "@/lib/engine/incoming-thresholds";

/** The least that a slider reaches, so that small rules can still be tried with more. */
const LEAST_MAXIMUM_IN_CENTS = 1_000_000;
const STEPS = 1_000;
const MAXIMUM_LABELS = 3;
/** Parts of the slider's length that one label takes, and that its last keeps for its own. */
const LABEL_ROOM = 0.24;
const END_ROOM = 0.14;
/** The part that «$0» takes. */
const START_ROOM = 0.08;

export interface SliderMark extends IncomingThreshold {
  /** 0 to 1, from the left. */
  position: number;
  /** Whether there is room for its words. */
  isLabelled: boolean;
}

export interface SliderScale {
  maximumInCents: number;
  stepInCents: number;
  marks: SliderMark[];
  /** Whether «$0» does not stand in the way of a mark's words. */
  isStartLabelled: boolean;
}

/** A scale that holds the amount to begin with and every mark, and ends at a round amount. */
export function sliderScale(initialInCents: number, thresholds: readonly IncomingThreshold[]): SliderScale {
  const largest = Math.max(initialInCents, ...thresholds.map(({ atInCents }) => atInCents));
  const maximumInCents = roundUp(Math.max(LEAST_MAXIMUM_IN_CENTS, largest * 1.5));
  const bare = thresholds.map((threshold) => ({
    ...threshold,
    position: threshold.atInCents / maximumInCents,
  }));
  const labelled = labelledPositions(bare);
  const marks = bare.map((mark) => ({ ...mark, isLabelled: labelled.includes(mark.position) }));
  const isStartLabelled = labelled.every((position) => position >= START_ROOM);
  return {
    maximumInCents,
    stepInCents: Math.max(100, roundDown(maximumInCents / STEPS)),
    marks,
    isStartLabelled,
  };
}

/** Where there is room for words; the marks of steps before that of the trigger, which the rule's sentence tells too. */
function labelledPositions(marks: readonly Omit<SliderMark, "isLabelled">[]): number[] {
  const taken: number[] = [];
  const inOrder = [...marks].sort(
    (one, other) => Number(one.stepIndex === null) - Number(other.stepIndex === null),
  );
  for (const { position } of inOrder) {
    if (taken.length >= MAXIMUM_LABELS) break;
    if (position > 1 - LABEL_ROOM - END_ROOM) continue;
    if (taken.every((other) => Math.abs(other - position) >= LABEL_ROOM)) taken.push(position);
  }
  return taken;
}

/** The next amount of the form 1, 2 or 5 with zeros behind. */
function roundUp(cents: number): number {
  const power = 10 ** Math.floor(Math.log10(cents));
  const factor = [1, 2, 5, 10].find((candidate) => candidate * power >= cents) ?? 10;
  return factor * power;
}

function roundDown(cents: number): number {
  return 10 ** Math.floor(Math.log10(Math.max(1, cents)));
}
