import type { Clock } from "@/lib/platform/clock";

/** Stands at the moment that is being played. */
export class HistoricClock implements Clock {
  #now: Date;

  constructor(start: Date) {
    this.#now = start;
  }

  now(): Date {
    return new Date(this.#now);
  }

  /** @throws Error for a moment before the last one: what happens later must not be older. */
  set(moment: Date): void {
    if (moment < this.#now) throw new Error("The demo's history goes back in time");
    this.#now = moment;
  }
}
