import { AppError } from "@/lib/contract/error";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import type { Services } from "@/lib/platform/services";

const MINUTE_MS = 60_000;
/** Sessions with requests within a minute; the oldest is forgotten first, to bound memory. */
const MAXIMUM_SESSIONS = 10_000;

/** How often one session may make cheap requests to this process, counted in memory by minutes of real time. */
export interface RequestBudget {
  /** @throws AppError `RATE_LIMIT_EXCEEDED` */
  take: (services: Pick<Services, "clock">, context: Pick<Context<MemberActor>, "actor">) => void;
}

/**
 * Pages that poll, and fields that query at each keystroke, must not become a flood through a browser bug or a script.
 * Shared by a session's tabs.
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
