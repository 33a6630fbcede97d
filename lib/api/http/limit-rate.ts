import { AppError } from "@/lib/contract/error";
import { REQUESTS_PER_MINUTE } from "@/lib/contract/limits";
import { CROWDED_RETRY_SECONDS } from "@/lib/core/keys/recent-refusals";
import { incrementCounter } from "@/lib/platform/observe/counters";
import type { Services } from "@/lib/platform/services";

/** Too many unknown credentials are shed before any of them is looked up. */
export function sayWhenUncrowded(
  error: unknown,
  caller: object | null,
  headers: Record<string, string>,
): void {
  if (caller !== null || !(error instanceof AppError) || error.code !== "RATE_LIMIT_EXCEEDED") return;
  headers["Retry-After"] = String(CROWDED_RETRY_SECONDS);
}

/**
 * Fixed clock minutes of real time, per key, assistant or hook, counted in the database (specification, Part 8).
 * @param headers gets `RateLimit-Policy`, `RateLimit` and, above the limit, `Retry-After`
 * @throws AppError `RATE_LIMIT_EXCEEDED`
 */
export function limitRate(
  services: Pick<Services, "clock">,
  requestsThisMinute: number,
  headers: Record<string, string>,
  caller: "key" | "assistant" | "hook" = "key",
): void {
  const secondsLeft = 60 - services.clock.now().getUTCSeconds();
  const remaining = Math.max(0, REQUESTS_PER_MINUTE - requestsThisMinute);
  headers["RateLimit-Policy"] = `"per-${caller}";q=${REQUESTS_PER_MINUTE};w=60`;
  headers.RateLimit = `"per-${caller}";r=${remaining};t=${secondsLeft}`;
  if (requestsThisMinute <= REQUESTS_PER_MINUTE) return;
  headers["Retry-After"] = String(secondsLeft);
  incrementCounter("rateLimited", caller);
  throw new AppError(
    "RATE_LIMIT_EXCEEDED",
    `Too many requests with this ${caller}. Try again in ${secondsLeft} seconds.`,
  );
}
