import fc from "fast-check";
import { expect, it } from "vitest";
import { MAXIMUM_ATTEMPTS, RETRY_DELAYS_MS } from "@/lib/contract/webhooks";
import { nextDelayMs } from "@/lib/core/webhooks/retry-schedule";

it("whatever a receiver asks for, an attempt is never early by more than the jitter, nor later than the next step", () => {
  // Mostly within the schedule, where it counts.
  const milliseconds = fc.oneof(
    ...RETRY_DELAYS_MS.map((delayMs) => fc.integer({ min: 0, max: delayMs })),
    fc.integer({ min: 0, max: 2_000_000_000_000 }),
  );
  const asked = fc.option(milliseconds, { nil: null });
  const random = fc.double({ min: 0, max: 0.999, noNaN: true });
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: MAXIMUM_ATTEMPTS - 1 }),
      asked,
      random,
      (attempts, askedMs, share) => {
        const delayMs = nextDelayMs(attempts, () => share, askedMs) ?? Number.NaN;
        const own = RETRY_DELAYS_MS[attempts - 1] ?? Number.NaN;
        const next = RETRY_DELAYS_MS[attempts] ?? own;
        expect(delayMs).toBeGreaterThanOrEqual(Math.floor(own * 0.9));
        expect(delayMs).toBeLessThanOrEqual(Math.max(own, next));
        if (askedMs !== null && askedMs <= next) expect(delayMs).toBeGreaterThanOrEqual(askedMs);
        if (askedMs === null) expect(delayMs).toBeLessThanOrEqual(own);
      },
    ),
  );
  expect(nextDelayMs(MAXIMUM_ATTEMPTS, () => 0, 60_000)).toBeNull();
});
