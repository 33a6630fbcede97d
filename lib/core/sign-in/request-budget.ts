import { AppError } from "@/lib/contract/error";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import type { Services } from "@/lib/platform/services";

const MINUTE_MS = 60_000;
/** Sessions that asked within a minute; the oldest is forgotten first, so that nobody can make it grow. */
const MAXIMUM_SESSIONS = 10_000;

/** How often one session may ask something cheap of this process, counted in memory by minutes of real time. */
export interface RequestBudget {
  /** @throws AppError `RATE_LIMIT_EXCEEDED` */
  take: (services: Pick<Services, "clock">, context: Pick<Context<MemberActor>, "actor">) => void;
}

/**
 * A page that asks by itself, and a field that asks at each letter, may not become a flood through a fault in a browser
 * or by somebody's script. Several tabs share it.
 */
export function createRequestBudget(perMinute: number): RequestBudget {
  const windows = new Map<string, { minute: number; count: number }>();
  return {
    take: ({ clock }, { actor }) => {
      const minute = Math.floor(clock.now().getTime() / MINUTE_MS);
      const window = windows.get(actor.sessionId);
      const count = window?.minute === minute ? window.count + 1 : 1;
      windows.delete(actor.sessionId);
      windows.set(actor.sessionId, { minute, count });
      const [oldest] = windows.keys();
      if (windows.size > MAXIMUM_SESSIONS && oldest !== undefined) windows.delete(oldest);
      if (count > perMinute) {
        throw new AppError(
          "RATE_LIMIT_EXCEEDED",
          "Too many requests from this browser. Try again in a minute.",
        );
      }
    },
  };
}
