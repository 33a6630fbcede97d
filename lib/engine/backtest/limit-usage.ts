import type { RuleDefinition } from "@/lib/contract/rules/rule";
import { periodStart } from "@/lib/engine/limit-period";

type Limit = RuleDefinition["limits"][number];

/** What limits have used while days go by: each begins again with its period. */
export class LimitUsage {
  private readonly periods = new Map<string, { start: string | null; usedInCents: number }>();

  /** @param usedBefore cents by the limit's id, of the period that `date` lies in */
  constructor(
    private readonly limits: readonly Limit[],
    date: string,
    usedBefore: Readonly<Record<string, number>>,
  ) {
    for (const limit of limits) {
      const start = periodStart(limit.period, date);
      this.periods.set(limit.id, { start, usedInCents: start === null ? 0 : (usedBefore[limit.id] ?? 0) });
    }
  }

  /** Cents by the limit's id in the period that a date lies in. Dates never go back. */
  usedOn(date: string): Record<string, number> {
    const used: Record<string, number> = {};
    for (const { id, period } of this.limits) {
      const start = periodStart(period, date);
      const known = this.periods.get(id);
      if (known?.start !== start) this.periods.set(id, { start, usedInCents: 0 });
      used[id] = this.periods.get(id)?.usedInCents ?? 0;
    }
    return used;
  }

  use(limitId: string, amountInCents: number): void {
    const known = this.periods.get(limitId);
    // Of one transfer, which counts nothing over time.
    if (known && known.start !== null) known.usedInCents += amountInCents;
  }
}
