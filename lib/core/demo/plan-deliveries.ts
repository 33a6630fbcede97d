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
  /** Attempts made in its round so far. */
  roundAttempts: number;
  /** Null after success, and after the last attempt of a round. */
  retryInMs: number | null;
  /** A member has just resent it. */
  isResent: boolean;
}

const SEED = 2_517;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Longer than an attempt takes; anything later is left to the worker. */
const LAST_MOMENT_MS = 1_000;
/** How long ago a member resent a failed delivery. */
const RESENT_AGO_MS = 5 * 60_000;
/** One in this many deliveries fails once. */
const HICCUP = 40;

/** How the receiver treats one change. */
type Fate =
  | "FINE"
  /** Fails once, then succeeds. */
  | "HICCUP"
  /** Always answers 500. */
  | "FAILED"
  | "RESENT"
  /** Has not been delivered yet. */
  | "RETRYING";

/**
 * When each change was sent to the endpoint, and the result, as the worker would have done it. Most arrive at once.
 * Exceptions: a morning of downtime, failures and returns that the receiver rejects (one of them just resent by hand),
 * and one still retrying. Pure.
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

/**
 * The newest waiting change is retrying; of the troubles older than a day, the latest was resent and the one before
 * failed.
 */
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
  const [resent, failed] = troubles.reverse();
  if (resent) fates.set(resent, "RESENT");
  if (failed) fates.set(failed, "FAILED");
  return fates;
}

interface Setting {
  times: Pick<WebhookTimes, "downFrom" | "downUntil">;
  now: Date;
  number: (least: number, most: number) => number;
}

/** Attempts on schedule until one succeeds, the round ends, or the next attempt is in the future. */
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
    // A worker polls four times a second.
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
  if (fate === "FAILED" || fate === "RESENT") return 500;
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
