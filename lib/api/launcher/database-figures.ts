import { Gauge, type Registry } from "prom-client";
import { countClosedGates } from "@/lib/core/keys/gates";
import { readStuckSeconds } from "@/lib/core/ledger/own-bank-accounts";
import { readReconciliationFigures } from "@/lib/core/reconciliation/read-figures";
import { readBankNewsFigures } from "@/lib/core/transfers/bank-news";
import { readDueAges } from "@/lib/core/work/read-due-ages";
import { readOutsideFigures } from "@/lib/core/work/read-outside-figures";
import { readRotation } from "@/lib/core/work/renew-encryption";
import type { Services } from "@/lib/platform/services";

type Needs = Pick<Services, "pool" | "clock" | "log">;

/** Figures of the whole database. Null: could not be read. */
interface Figures {
  gates: number | null;
  ages: [string, number][] | null;
  reconciliation: Awaited<ReturnType<typeof readReconciliationFigures>> | null;
  outside: Awaited<ReturnType<typeof readOutsideFigures>> | null;
  stuckSeconds: number | null;
  /** What the bank says and could not be read or booked, and how long ago all of it was read. */
  news: Awaited<ReturnType<typeof readBankNewsFigures>> | null;
  /** Null also while no secret is being replaced. */
  rotation: Awaited<ReturnType<typeof readRotation>>;
}

interface FigureGauge {
  name: string;
  help: string;
  read: (figures: Figures) => number | null | undefined;
}

const GAUGES: readonly FigureGauge[] = [
  {
    name: "sluice_gates_closed",
    help: "Organizations with all gates closed",
    read: ({ gates }) => gates,
  },
  {
    name: "sluice_bank_differences_open",
    help: "Differences between the bank's statement and the books that settlement does not explain",
    read: ({ reconciliation }) => reconciliation?.openDifferences,
  },
  {
    name: "sluice_bank_difference_oldest_seconds",
    help: "Age of the oldest open difference; 0 without one",
    read: ({ reconciliation }) => reconciliation?.oldestSeconds,
  },
  {
    name: "sluice_reconciliation_age_seconds",
    help: "Time since the organization was reconciled that has waited longest",
    read: ({ reconciliation }) => reconciliation?.ageSeconds,
  },
  {
    name: "sluice_reconciliations_unexplained",
    help: "Organizations whose statement does not add up to the bank's balance",
    read: ({ reconciliation }) => reconciliation?.unexplained,
  },
  {
    name: "sluice_bank_orders_open",
    help: "Orders that the bank has, or may have, and has not settled",
    read: ({ outside }) => outside?.openOrders,
  },
  {
    name: "sluice_bank_order_oldest_seconds",
    help: "Age of the oldest order that the bank has not settled; 0 without one",
    read: ({ outside }) => outside?.oldestOrderSeconds,
  },
  {
    name: "sluice_bank_orders_cents",
    help: "What these orders move, in cents",
    read: ({ outside }) => outside?.ordersInCents,
  },
  {
    name: "sluice_proposals_waiting",
    help: "Transfers and runs that wait for a person's decision",
    read: ({ outside }) => outside?.waitingProposals,
  },
  {
    name: "sluice_proposals_waiting_cents",
    help: "What the transfers among them would move, in cents",
    read: ({ outside }) => outside?.waitingInCents,
  },
  {
    name: "sluice_proposal_oldest_seconds",
    help: "Age of the oldest proposal that waits; 0 without one",
    read: ({ outside }) => outside?.oldestProposalSeconds,
  },
  {
    name: "sluice_webhook_endpoints_failing",
    help: "Enabled webhook endpoints whose last attempt failed",
    read: ({ outside }) => outside?.failingEndpoints,
  },
  {
    name: "sluice_webhook_endpoint_failing_seconds",
    help: "Time since the first failure of the endpoint that has failed longest; 0 without one",
    read: ({ outside }) => outside?.failingSeconds,
  },
  {
    name: "sluice_pod_move_stuck_seconds",
    help: "Age of the oldest move of a pod's own account that the bank refuses or leaves unanswered; 0 without one",
    read: ({ stuckSeconds }) => stuckSeconds,
  },
  {
    name: "sluice_bank_notice_set_aside_oldest_seconds",
    help: "Time since the oldest of the bank's reports that cannot be read or booked was set aside; 0 without one",
    read: ({ news }) => news?.oldestSeconds,
  },
  {
    name: "sluice_bank_news_age_seconds",
    help: "Time since the bank's list of events was read to its end; none for the sandbox bank",
    read: ({ news }) => news?.ageSeconds,
  },
  {
    name: "sluice_secret_rotation_remaining",
    help: "Values that the previous SLUICE_SECRET still encrypts; none while no secret is being replaced",
    read: ({ rotation }) => rotation?.remaining,
  },
  {
    name: "sluice_secret_rotation_renewed",
    help: "Values encrypted again under the new SLUICE_SECRET",
    read: ({ rotation }) => rotation?.renewed,
  },
  {
    name: "sluice_secret_rotation_unreadable",
    help: "Values that neither secret decrypts",
    read: ({ rotation }) => rotation?.unreadable,
  },
  {
    name: "sluice_secret_rotation_finished",
    help: "1 once SLUICE_SECRET_PREVIOUS can be removed",
    read: ({ rotation }) => rotation && (rotation.isFinished ? 1 : 0),
  },
];

/**
 * Registers the figures of the whole database: reported only by workers, since every process would report the same.
 * @param askInTime null without an answer in time: no value is better than a stale one, which would hide that work has
 *   stopped
 */
export function addDatabaseFigures(
  registry: Registry,
  services: Needs,
  askInTime: <T>(ask: () => Promise<T>) => Promise<T | null>,
): void {
  const figures = readOnce(() => readFigures(services), askInTime);
  for (const { name, help, read } of GAUGES) {
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        this.reset();
        const all = await figures();
        const value = all && read(all);
        if (typeof value === "number") this.set(value);
        // A gauge without labels would show 0.
        else this.remove();
      },
    });
  }
  new Gauge({
    name: "sluice_work_oldest_due_seconds",
    help: "Age of the oldest due work of each kind, in the whole database",
    labelNames: ["work"],
    registers: [registry],
    async collect() {
      this.reset();
      for (const [work, seconds] of (await figures())?.ages ?? []) this.set({ work }, seconds);
    },
  });
  new Gauge({
    name: "sluice_bank_notices_set_aside",
    help: "What the bank reported and cannot be read (unread) or booked (unapplied); both are tried again",
    labelNames: ["kind"],
    registers: [registry],
    async collect() {
      this.reset();
      const news = (await figures())?.news ?? null;
      if (news === null) return;
      this.set({ kind: "unread" }, news.unread);
      this.set({ kind: "unapplied" }, news.unapplied);
    },
  });
}

/**
 * One after the other, so that a scrape takes one connection. A figure that cannot be read leaves the others.
 */
async function readFigures(services: Needs): Promise<Figures> {
  const orNull = async <T>(read: (services: Needs) => Promise<T>) => {
    try {
      return await read(services);
    } catch (err) {
      services.log.warn({ err }, "a metric could not be read");
      return null;
    }
  };
  return {
    rotation: await orNull(({ pool }) => readRotation(pool)),
    gates: await orNull(countClosedGates),
    ages: await orNull(readDueAges),
    reconciliation: await orNull(readReconciliationFigures),
    outside: await orNull(readOutsideFigures),
    stuckSeconds: await orNull(readStuckSeconds),
    news: await orNull(readBankNewsFigures),
  };
}

/** All gauges of a scrape share one reading, and a scrape begins none while the last one still waits for its answer. */
function readOnce<T>(
  read: () => Promise<T>,
  askInTime: <R>(ask: () => Promise<R>) => Promise<R | null>,
): () => Promise<T | null> {
  let running: Promise<T> | null = null;
  let asked: Promise<T | null> | null = null;
  return () => {
    if (asked === null) {
      running ??= read().finally(() => {
        running = null;
      });
      const current = running;
      asked = askInTime(() => current);
      // The gauges of one scrape are collected in the same turn.
      setImmediate(() => {
        asked = null;
      });
    }
    return asked;
  };
}
