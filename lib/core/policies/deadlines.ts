import { APPROVAL_EXPIRY_HOURS } from "@/lib/contract/limits";

const HOUR_MS = 3_600_000;
/** The reminder goes out when this part of the time is left: two hours of a day. */
const REMINDED_PART = 1 / 12;

/** When a proposal that is made now closes, and when its deciders are reminded. */
export function deadlinesOf(now: Date, hours: number = APPROVAL_EXPIRY_HOURS) {
  const lifetimeMs = hours * HOUR_MS;
  return {
    expiresAt: new Date(now.getTime() + lifetimeMs),
    remindAt: new Date(now.getTime() + lifetimeMs * (1 - REMINDED_PART)),
  };
}
