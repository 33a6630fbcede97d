import type { IncomingThreshold } from "@/lib/engine/incoming-thresholds";

/** The least that a slider reaches, so that small rules can still be tried with more. */
const LEAST_MAXIMUM_IN_CENTS = 1_000_000;
const STEPS = 1_000;
const MAXIMUM_LABELS = 3;
/** Parts of the slider's length that one label takes, and that the ends keep for theirs. */
const LABEL_ROOM = 0.24;
const END_ROOM = 0.14;

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
}

/** A scale that holds the amount to begin with and every mark, and ends at a round amount. */
export function sliderScale(initialInCents: number, thresholds: readonly IncomingThreshold[]): SliderScale {
  const largest = Math.max(initialInCents, ...thresholds.map(({ atInCents }) => atInCents));
  const maximumInCents = roundUp(Math.max(LEAST_MAXIMUM_IN_CENTS, largest * 1.5));
  const marks: SliderMark[] = [];
  let free = END_ROOM;
  let labels = 0;
  for (const threshold of thresholds) {
    const position = threshold.atInCents / maximumInCents;
    const isLabelled =
      labels < MAXIMUM_LABELS && (position >= free || labels === 0) && position <= 1 - LABEL_ROOM - END_ROOM;
    if (isLabelled) {
      labels += 1;
      free = position + LABEL_ROOM;
    }
    marks.push({ ...threshold, position, isLabelled });
  }
  return { maximumInCents, stepInCents: Math.max(100, roundDown(maximumInCents / STEPS)), marks };
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
