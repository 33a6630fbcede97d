/** Failed attempts, now, and the coming ones, on one line. */

export const SCHEDULE_WIDTH = 640;
/** Position of the first and last marks. */
const EDGE = 8;
/** Minimum distance between marks. */
const MINIMUM_GAP = 14;
/** Width of a clock time. */
const LABEL_WIDTH = 44;
const MAXIMUM_PAST = 10;

export type MarkKind = "FAILED" | "DELIVERED" | "NOW" | "NEXT";

export interface ScheduleMark {
  kind: MarkKind;
  at: string;
  x: number;
  /** Room for its time below. */
  hasLabel: boolean;
}

export interface ScheduleInput {
  /** Oldest first. */
  attempts: readonly { at: string; problem: unknown }[];
  nowAt: string;
  /** Empty: none will come; now is not drawn. */
  nextAttempts: readonly string[];
}

/** Distances are logarithmic, so that five seconds and ten hours are both visible. */
export function scheduleMarks({ attempts, nowAt, nextAttempts }: ScheduleInput): ScheduleMark[] {
  const past = attempts.slice(-MAXIMUM_PAST).map(({ at, problem }) => ({
    kind: problem === null ? ("DELIVERED" as const) : ("FAILED" as const),
    at,
  }));
  // A due attempt may lie just before now.
  const ahead = nextAttempts.map((at) => ({
    kind: "NEXT" as const,
    at: Date.parse(at) < Date.parse(nowAt) ? nowAt : at,
  }));
  const now = ahead.length > 0 ? [{ kind: "NOW" as const, at: nowAt }] : [];
  const marks = [...past, ...now, ...ahead];
  const xs = placesOf(marks.map(({ at }) => Date.parse(at)));
  return withLabels(marks.map((mark, index) => ({ ...mark, x: xs[index] ?? EDGE })));
}

function placesOf(instants: readonly number[]): number[] {
  const gaps = instants.slice(1).map((instant, index) => {
    const seconds = Math.max(0, (instant - (instants[index] ?? instant)) / 1_000);
    return Math.log1p(seconds);
  });
  const whole = gaps.reduce((sum, gap) => sum + gap, 0);
  const room = SCHEDULE_WIDTH - 2 * EDGE - gaps.length * MINIMUM_GAP;
  let x = EDGE;
  return [
    EDGE,
    ...gaps.map((gap) => {
      x += MINIMUM_GAP + (whole > 0 ? (gap / whole) * room : 0);
      return Math.round(x);
    }),
  ].slice(0, instants.length);
}

/** The ends first, then what fits; now is labeled above the line. */
function withLabels(marks: readonly Omit<ScheduleMark, "hasLabel">[]): ScheduleMark[] {
  const isBelow = ({ kind }: { kind: MarkKind }) => kind !== "NOW";
  const below = marks.filter(isBelow);
  const last = below.at(-1);
  const taken: number[] = last ? [last.x] : [];
  const labeled = new Set(last ? [last] : []);
  for (const mark of below.slice(0, -1)) {
    if (taken.some((x) => Math.abs(x - mark.x) < LABEL_WIDTH)) continue;
    taken.push(mark.x);
    labeled.add(mark);
  }
  return marks.map((mark) => ({ ...mark, hasLabel: labeled.has(mark) }));
}
