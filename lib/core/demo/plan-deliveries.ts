import { MAXIMUM_ATTEMPTS } from "@/lib/contract/webhooks";
import type { WebhookTimes } from "@/lib/core/demo/plan-history";
import type { DemoChange } from "@/lib/core/demo/read-changes";
import { seededNumbers } from "@/lib/core/demo/seeded-numbers";
import { nextDelayMs } from "@/lib/core/webhooks/retry-schedule";

export interface PlannedAttempt<Change> {
  change: Change;
  startedAt: Date;
  durationMs: number;
  statusCode: 204 | 500 | 503;
  /** Made in its round before. */
  roundAttempts: number;
  /** Null when it succeeded, and after the last one of a round. */
  retryInMs: number | null;
  /** A member has sent it again just before. */
  isResent: boolean;
}

const SEED = 2_517;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Longer than an attempt lasts: what is made after that is the worker's. */
const LAST_MOMENT_MS = 1_000;
/** How long ago a member sent again what had been given up. */
const RESENT_AGO_MS = 5 * 60_000;
/** One in so many deliveries fails once. */
const HICCUP = 40;

/** What the receiver makes of one change. */
type Fate =
  | "FINE"
  /** Fails once, and not the second time. */
  | "HICCUP"
  /** Is not understood: 500, as often as it comes. */
  | "GIVEN_UP"
  | "RESENT"
  /** Has not come through so far. */
  | "RETRYING";

/**
 * When each change was sent to the endpoint, and what came of it: pure, and as the worker would have done it. Most
 * arrive at once. A morning without a receiver, failures and returns that it did not understand (one of them sent again
 * by hand a moment ago), and one that has not come through yet.
 * @param changes of the last thirty days, oldest first
 * @returns in order of time
 */
export function planDeliveries<Change extends DemoChange>(
  changes: readonly Change[],
  times: Pick<WebhookTimes, "downFrom" | "downUntil">,
  now: Date,
): PlannedAttempt<Change>[] {
  const number = seededNumbers(SEED);
  const fates = chooseFates(changes, now, number);
  return changes
    .flatMap((change) => {
      const made = planRound(change, fates.get(change) ?? "FINE", { times, now, number });
      const isOver = made.length === MAXIMUM_ATTEMPTS;
      return fates.get(change) === "RESENT" && isOver ? [...made, resend(change, now, number)] : made;
    })
    .sort((left, right) => left.startedAt.getTime() - right.startedAt.getTime());
}

/** The newest that waits is retrying; of what went wrong longer than a day ago, the last was sent again, the one before was not. */
function chooseFates(
  changes: readonly DemoChange[],
  now: Date,
  number: (least: number, most: number) => number,
): Map<DemoChange, Fate> {
  const fates = new Map<DemoChange, Fate>();
  for (const change of changes) {
    const isLongAgo = now.getTime() - change.at.getTime() > HOUR_MS;
    if (number(1, HICCUP) === 1 && isLongAgo) fates.set(change, "HICCUP");
  }
  const waiting = changes.findLast(({ story }) => story === "WAITS");
  if (waiting) fates.set(waiting, "RETRYING");
  const troubles = changes.filter(
    ({ story, at }) => story === "TROUBLE" && now.getTime() - at.getTime() > DAY_MS,
  );
  const [resent, givenUp] = troubles.reverse();
  if (resent) fates.set(resent, "RESENT");
  if (givenUp) fates.set(givenUp, "GIVEN_UP");
  return fates;
}

interface Setting {
  times: Pick<WebhookTimes, "downFrom" | "downUntil">;
  now: Date;
  number: (least: number, most: number) => number;
}

/** Attempts by the schedule, until it arrives, is given up, or the next one is still to come. */
function planRound<Change extends DemoChange>(
  change: Change,
  fate: Fate,
  { times, now, number }: Setting,
): PlannedAttempt<Change>[] {
  const made: PlannedAttempt<Change>[] = [];
  let dueAt = change.at.getTime() + number(20, 180);
  while (made.length < MAXIMUM_ATTEMPTS && dueAt <= now.getTime() - LAST_MOMENT_MS) {
    const startedAt = new Date(dueAt);
    const statusCode = answerOf(fate, made.length + 1, startedAt, times);
    const durationMs = number(14, 210);
    const retryInMs = statusCode === 204 ? null : nextDelayMs(made.length + 1, () => number(0, 99) / 100);
    made.push({
      change,
      startedAt,
      durationMs,
      statusCode,
      roundAttempts: made.length,
      retryInMs,
      isResent: false,
    });
    if (retryInMs === null) break;
    // A worker looks four times a second.
    dueAt += durationMs + retryInMs + number(0, 250);
  }
  return made;
}

function answerOf(
  fate: Fate,
  attempt: number,
  at: Date,
  { downFrom, downUntil }: Pick<WebhookTimes, "downFrom" | "downUntil">,
): PlannedAttempt<DemoChange>["statusCode"] {
  if (at >= downFrom && at < downUntil) return 503;
  if (fate === "GIVEN_UP" || fate === "RESENT") return 500;
  if (fate === "RETRYING" || (fate === "HICCUP" && attempt === 1)) return 503;
  return 204;
}

function resend<Change extends DemoChange>(
  change: Change,
  now: Date,
  number: (least: number, most: number) => number,
): PlannedAttempt<Change> {
  const startedAt = new Date(now.getTime() - RESENT_AGO_MS + number(20, 180));
  return {
    change,
    startedAt,
    durationMs: number(14, 210),
    statusCode: 204,
    roundAttempts: 0,
    retryInMs: null,
    isResent: true,
  };
}
