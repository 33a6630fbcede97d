import { hash } from "node:crypto";
import { RUN_RULES } from "@/lib/core/shared/work-names";
import { recordDeposit } from "@/lib/core/transfers/collect-bank-notices";
import { createPool } from "@/lib/db/pool";
import { openWorkSignals } from "@/lib/db/workers";
import { systemClock } from "@/lib/platform/clock";
import { newId } from "@/lib/platform/ids";
import { createLog } from "@/lib/platform/log";
import { type LoadOptions, repeat } from "@/proof/bench/load";
import { type Measurement, measureUntil } from "@/proof/bench/measurement";
import { waitUntilEnded } from "@/proof/bench/rules/live-runs";
import type { Running } from "./measure-api";

/**
 * Deposits that set rules off, booked as the worker books what the bank tells, until the last run has ended.
 * The latency is that of the deposit's booking with the run that it makes due.
 */
export async function measureArrivals(
  { engine, world }: Running,
  options: LoadOptions,
): Promise<Measurement> {
  const pool = createPool(engine.application);
  const signals = openWorkSignals(engine.application, createLog("silent"));
  const { organizationId, rules } = world.setOff;
  let count = 0;
  const arrive = async () => {
    const arrivedAt = systemClock.now();
    const rule = rules[count++ % rules.length];
    await recordDeposit(
      { pool },
      {
        organizationId,
        reference: hash("sha256", newId(arrivedAt)),
        accountId: rule?.source ?? "",
        amountInCents: 100_000,
        origin: "DIRECT_DEPOSIT",
        payerName: "Halden Health",
        arrivedAt,
      },
    );
    signals.wake(RUN_RULES);
  };
  try {
    await repeat(arrive, { ...options, seconds: 1 });
    await waitUntilEnded(engine);
    return await measureUntil(
      engine.superuser,
      () => repeat(arrive, options),
      () => waitUntilEnded(engine),
    );
  } finally {
    await signals.close();
    await pool.end();
  }
}
