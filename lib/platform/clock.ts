/**
 * The two clocks (architecture page, "Time"); nothing else in the product reads the time.
 *
 * Real time serves signatures, sessions, tokens, leases, rate windows and logs. Business time is real time plus the
 * organization's offset (0 unless a member of a sandbox organization has moved it forward) and serves everything that
 * is created, due, settled, scheduled or expires.
 */
export interface Clock {
  /** Real time. */
  now(): Date;
}

/** The clock of a running process. */
export const systemClock: Clock = { now: () => new Date() };

/** Business time of an organization whose clock was moved forward by `clockOffsetMs` (≥ 0) milliseconds. */
export function businessTime(clock: Clock, clockOffsetMs: number): Date {
  return new Date(clock.now().getTime() + clockOffsetMs);
}
