import type { Measurement } from "@/proof/bench/measurement";

/** The result of one way of doing something. */
export interface Figures {
  requests: number;
  /** Answered. */
  perSecond: number;
  /** Including what they started, over the time until the last of it had ended. */
  completedPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Statements sent to PostgreSQL by all processes, including the worker, per request. */
  roundTrips: number;
  /** PostgreSQL's working time per request, without waiting for the disk. */
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

/** The smallest value that this share of all does not exceed; 0 if empty. @param sorted ascending */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

/** The mean of the middle two if their number is even; 0 if empty. */
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

/** Two processes and a worker against one process, measured in turn. */
export interface Claim {
  one: number[];
  split: number[];
  holds: boolean;
}

/**
 * Whether two processes and a worker complete at least as many transfers as one: by the medians of the rounds, so that
 * a disturbed round decides nothing.
 */
export function claimOf(one: readonly number[], split: readonly number[]): Claim {
  return { one: [...one], split: [...split], holds: median(split) >= median(one) };
}
