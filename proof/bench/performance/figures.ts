import type { Measurement } from "@/proof/bench/measurement";

/** What a way of doing something came to. */
export interface Figures {
  requests: number;
  /** Answered. */
  perSecond: number;
  /** With what they set off, over the time until the last of it had ended. */
  completedPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Statements sent to PostgreSQL by all processes, those of the worker among them, for each request. */
  roundTrips: number;
  /** What PostgreSQL worked for each request, without waiting for the disk. */
  databaseMs: number;
}

export function figuresOf({ latenciesMs, seconds, drainSeconds, statements }: Measurement): Figures {
  const sorted = [...latenciesMs].sort((left, right) => left - right);
  const requests = sorted.length;
  const sum = (of: (statement: (typeof statements)[number]) => number) =>
    statements.reduce((total, statement) => total + of(statement), 0);
  return {
    requests,
    perSecond: requests / seconds,
    completedPerSecond: requests / (seconds + drainSeconds),
    p50Ms: percentile(sorted, 0.5),
    p99Ms: percentile(sorted, 0.99),
    roundTrips: sum(({ calls }) => calls) / requests,
    databaseMs: sum(({ calls, meanMs }) => calls * meanMs) / requests,
  };
}

/** The smallest value that so great a share of all does not exceed; 0 of none. @param sorted from small to great */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

/** Between the two in the middle where their number is even; 0 of none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? 0;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? 0;
  return (lower + upper) / 2;
}

/** Null: there is no limit to compare with. */
export function ratio(value: number, limit: number | null): number | null {
  return limit === null || limit === 0 ? null : value / limit;
}

/** Two processes and a worker against one process, measured in turns. */
export interface Claim {
  one: number[];
  split: number[];
  holds: boolean;
}

/**
 * Whether two processes and a worker complete at least as many transfers as one: by the medians of the rounds, so that a
 * round in which the machine did something else decides nothing.
 */
export function claimOf(one: readonly number[], split: readonly number[]): Claim {
  return { one: [...one], split: [...split], holds: median(split) >= median(one) };
}
