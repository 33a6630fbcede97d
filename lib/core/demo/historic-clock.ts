import type { Clock } from "@/lib/platform/clock";

/** Shows the moment that is being played. */
export class HistoricClock implements Clock {
  #now: Date;

  constructor(start: Date) {
    this.#now = start;
  }

  now(): Date {
    return new Date(this.#now);
  }

  /** @throws Error for a moment before the current one: later steps must not be older. */
  set(moment: Date): void {
    if (moment < this.#now) throw new Error("The demo's history is out of order");
    this.#now = moment;
  }
}
