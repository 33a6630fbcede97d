import type { AccountFacts, RuleFacts } from "@/lib/contract/rules/facts";
import type { ClaimedRun } from "@/lib/core/rules/claim-runs";
import type { PlannedTransfer } from "@/lib/core/rules/planned-transfers";
import { isDebt, readDebtPayments, readLimitsUsed, withPayments } from "@/lib/core/rules/read-rule-facts";
import type { Queryable } from "@/lib/db/transaction";
import { accountsOf } from "@/lib/engine/accounts-of";
import { calendarDate } from "@/lib/engine/calendar-date";
import { periodStart } from "@/lib/engine/limit-period";
import { withOnItsWay } from "@/lib/engine/on-its-way";

interface LockedAccountRow extends AccountFacts {
  organization_id: string;
  id: string;
}

/**
 * What the runs of one batch see, locked from here to the commit: each run sees what those before it have moved.
 */
export class BatchFacts {
  private constructor(
    private readonly accounts: Map<string, AccountFacts>,
    private readonly limitsUsed: Map<string, number>,
  ) {}

  /** Locks and reads the facts of all runs that have a rule. */
  static async lock(client: Queryable, runs: readonly ClaimedRun[]): Promise<BatchFacts> {
    const named = runs.flatMap((run) =>
      run.definition
        ? accountsOf(run.definition).map((accountId) => ({ organizationId: run.organizationId, accountId }))
        : [],
    );
    const { rows } = await client.query<LockedAccountRow>({
      name: "lock_facts",
      text: "select * from lock_facts($1, $2, $3)",
      values: [
        runs.filter((run) => run.definition?.limits.length).map((run) => run.ruleId),
        named.map(({ organizationId }) => organizationId),
        named.map(({ accountId }) => accountId),
      ],
    });
    const payments = await readDebtPayments(
      client,
      rows.filter(isDebt).map((row) => ({ organizationId: row.organization_id, accountId: row.id })),
    );
    const accounts = new Map(
      rows.map(({ organization_id, id, ...facts }) => {
        const key = `${organization_id} ${id}`;
        return [key, withPayments(facts, payments.get(key))];
      }),
    );
    return new BatchFacts(accounts, await readAllLimits(client, runs));
  }

  /** The facts of one run, its incoming amount not yet set. */
  of(run: ClaimedRun): RuleFacts {
    const ids = run.definition ? accountsOf(run.definition) : [];
    const accounts: Record<string, AccountFacts> = {};
    for (const id of ids) {
      const facts = this.accounts.get(`${run.organizationId} ${id}`);
      if (facts) accounts[id] = { ...facts };
    }
    const limits = periodLimits(run).map(({ id, key }) => [id, this.limitsUsed.get(key) ?? 0] as const);
    return {
      at: run.now.toISOString(),
      date: calendarDate(run.now, run.timeZone),
      incomingAmountInCents: null,
      isApprovedByPerson: false,
      accounts,
      limitsUsedInCents: Object.fromEntries(limits),
    };
  }

  /** A run's transfers, as `carry_out_runs` will have moved them before the next run of this batch. */
  move(run: ClaimedRun, transfers: readonly PlannedTransfer[]): void {
    for (const transfer of transfers) {
      if (transfer.errorCode !== null) continue;
      this.moveOne(run.organizationId, transfer);
      for (const { id, key } of periodLimits(run)) {
        if (id !== transfer.limitId) continue;
        this.limitsUsed.set(key, (this.limitsUsed.get(key) ?? 0) + transfer.amountInCents);
      }
    }
  }

  private moveOne(organizationId: string, transfer: PlannedTransfer): void {
    const { direction, amountInCents } = transfer;
    const source = this.accounts.get(`${organizationId} ${transfer.sourceAccountId}`);
    const destinationKey = `${organizationId} ${transfer.destinationAccountId}`;
    const destination = this.accounts.get(destinationKey);
    if (!source || !destination) throw new Error("A run moved money of an account that was not locked");
    source.availableInCents = minus(source.availableInCents, amountInCents);
    if (direction !== "INTERNAL") {
      this.accounts.set(destinationKey, withOnItsWay(destination, amountInCents));
      return;
    }
    source.balanceInCents = minus(source.balanceInCents, amountInCents);
    destination.balanceInCents = minus(destination.balanceInCents, -amountInCents);
    destination.availableInCents = minus(destination.availableInCents, -amountInCents);
  }
}

const minus = (cents: number | null, less: number) => (cents === null ? null : cents - less);

interface PeriodLimit {
  id: string;
  /** Names the counter: the same limit in another period is another one. */
  key: string;
}

function periodLimits(run: ClaimedRun): PeriodLimit[] {
  const date = calendarDate(run.now, run.timeZone);
  return (run.definition?.limits ?? []).flatMap(({ id, period }) => {
    const from = periodStart(period, date);
    return from === null ? [] : [{ id, key: `${run.ruleId} ${id} ${from}` }];
  });
}

async function readAllLimits(client: Queryable, runs: readonly ClaimedRun[]): Promise<Map<string, number>> {
  const used = new Map<string, number>();
  for (const run of runs) {
    const limits = periodLimits(run);
    if (!run.definition || limits.every(({ key }) => used.has(key))) continue;
    const read = await readLimitsUsed(client, run, { ruleId: run.ruleId, definition: run.definition });
    for (const { id, key } of limits) used.set(key, read[id] ?? 0);
  }
  return used;
}
