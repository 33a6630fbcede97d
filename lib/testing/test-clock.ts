import type { Clock } from "@/lib/platform/clock";

/** A clock that stands still until the test moves it. */
export class TestClock implements Clock {
  #now: Date;

  /** Starts on a Thursday noon (UTC) that is a banking day. */
  constructor(start = new Date("2026-01-15T17:00:00.000Z")) {
    this.#now = start;
  }

  now(): Date {
    return new Date(this.#now);
  }

  advance(ms: number): void {
    this.#now = new Date(this.#now.getTime() + ms);
  }

  set(date: Date): void {
    this.#now = new Date(date);
  }
}
