import type { DemoCalendar } from "@/lib/core/demo/demo-calendar";
import type { DemoDeposit, DemoEnd, DemoMovement } from "@/lib/core/demo/history-step";
import type { MemberName } from "@/lib/core/demo/northwind";
import { seededNumbers } from "@/lib/core/demo/seeded-numbers";

const SEED = 8_820;
const MINUTE_MS = 60_000;
const SECOND_MS = 1_000;

export type Ask = Omit<DemoMovement, "askedAt" | "end"> & {
  /** Banking days before today, and New York time. */
  day: number;
  time: string;
};

/** Collects what happens, with the pauses and preferences of two people who decide. */
export class Draft {
  readonly movements: DemoMovement[] = [];
  readonly deposits: DemoDeposit[] = [];
  readonly number = seededNumbers(SEED);

  constructor(readonly calendar: DemoCalendar) {}

  /** Decided within an hour and a half, by one of the two. */
  approved(ask: Ask, isUndone = false): void {
    const askedAt = this.calendar.at(ask.day, ask.time);
    const by: MemberName = this.number(0, 99) < 55 ? "JONAS" : "MARA";
    const at = new Date(askedAt.getTime() + this.number(3, 85) * MINUTE_MS + this.number(0, 59) * SECOND_MS);
    this.add(ask, askedAt, { kind: "APPROVED", by, at, isUndone });
  }

  denied(ask: Ask, by: MemberName, minutesLater: number, note: string): void {
    const askedAt = this.calendar.at(ask.day, ask.time);
    this.add(ask, askedAt, {
      kind: "DENIED",
      by,
      at: new Date(askedAt.getTime() + minutesLater * MINUTE_MS),
      note,
    });
  }

  add({ day: _day, time: _time, ...movement }: Ask, askedAt: Date, end: DemoEnd): void {
    this.movements.push({ ...movement, askedAt, end });
  }

  deposit(day: number, time: string, payerName: string, amountInCents: number): void {
    this.deposits.push({
      to: "Client payments",
      amountInCents,
      payerName,
      origin: "DIRECT_DEPOSIT",
      reference: `FH-${this.calendar.bankingDay(day)}-8820`,
      arrivedAt: this.calendar.at(day, time),
    });
  }
}
