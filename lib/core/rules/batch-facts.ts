import type { AccountFacts, RuleFacts } from "@/lib/contract/rules/facts";
import { deadlinesOf } from "@/lib/core/policies/deadlines";
import type { ClaimedRun } from "@/lib/core/rules/claim-runs";
import type { PlannedTransfer } from "@/lib/core/rules/planned-transfers";
import {
  isDebt,
  outgoingFact,
  readDebtPayments,
  readLimitsUsed,
  withPayments,
} from "@/lib/core/rules/read-rule-facts";
import { failedRun, type RunResult } from "@/lib/core/rules/run-result";
import { type OutgoingRoom, readOutgoingRooms } from "@/lib/core/transfers/outgoing-cap";
import type { Queryable } from "@/lib/db/transaction";
import { accountsOf } from "@/lib/engine/accounts-of";
import { withOnItsWay } from "@/lib/engine/forecast/money-after";
import { periodStart } from "@/lib/engine/limits";
import { calendarDate } from "@/lib/engine/schedule/calendar-day";

interface LockedAccountRow extends AccountFacts {
  organizationId: string;
  id: string;
}

/**
 * The facts of one batch of runs, locked until the commit: each run sees what earlier ones have moved.
 */
export class BatchFacts {
  private constructor(
    private readonly accounts: Map<string, AccountFacts>,
    private readonly limitsUsed: Map<string, number>,
    private readonly outgoing: Map<string, OutgoingRoom>,
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
      text: `
        select organization_id as "organizationId", id, name, type, "externalAccountType", "isClosed", "balanceInCents",
            "availableInCents", "floorInCents", "onItsWayInCents", "nextPaymentMinimumInCents",
            "lastStatementBalanceInCents", "interestRatePercentage"
          from lock_facts($1, $2, $3)`,
      values: [
        runs.filter((run) => run.definition?.limits.length).map((run) => run.ruleId),
        named.map(({ organizationId }) => organizationId),
        named.map(({ accountId }) => accountId),
      ],
    });
    const payments = await readDebtPayments(
      client,
      rows.filter(isDebt).map((row) => ({ organizationId: row.organizationId, accountId: row.id })),
    );
    const accounts = new Map(
      rows.map(({ organizationId, id, ...facts }) => {
        const key = `${organizationId} ${id}`;
        return [key, withPayments(facts, payments.get(key))];
      }),
    );
    return new BatchFacts(accounts, await readAllLimits(client, runs), await readRooms(client, runs));
  }

  /** The facts of one run, without its incoming amount. */
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
      ...outgoingFact(this.outgoing.get(run.organizationId)),
    };
  }

  /** Applies a run's transfers, as `carry_out_runs` books them before the next run of this batch. */
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
    const room = this.outgoing.get(organizationId);
    if (room && direction === "MONEY_OUT") room.leftInCents -= amountInCents;
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
  /** Of the counter, which is per limit and period. */
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

/** Under the locks of `lock_facts`. The runs of a batch were claimed at one moment of real time. */
async function readRooms(client: Queryable, runs: readonly ClaimedRun[]): Promise<Map<string, OutgoingRoom>> {
  const [first] = runs;
  if (!first) return new Map();
  const earliest = runs.reduce((least, { now }) => (now < least ? now : least), first.now);
  return readOutgoingRooms(
    client,
    runs.map(({ organizationId }) => organizationId),
    earliest,
  );
}

/** A revocation takes milliseconds. */
const RETRY_MS = 1_000;

const CANNOT_PROPOSE = {
  OVER: "This run is above the daily cap of the key that triggered it, and cannot be proposed because the key no longer works. Nothing moved.",
  FULL: "This run is above the daily cap of the key that triggered it, and the maximum number of the key's proposals is already waiting. Nothing moved.",
} as const;

/** What runs may move on behalf of a key. This transaction holds the locks of the key and its day. */
interface Charge {
  /** `OVER`: revoked or ended; `BUSY`: locked by a revocation. */
  keyState: "ACTIVE" | "OVER" | "BUSY";
  capInCents: number;
  /** Of the day, including earlier runs of this batch. */
  usedInCents: number;
  /** How many more of the key's proposals may wait, after those that this batch holds. */
  room: number;
}

/**
 * The remaining daily caps of keys within one batch of runs. A run counts with everything that it moves, because it would
 * not have run without the key. A run above the cap waits for approval as a whole.
 */
export class BatchCaps {
  private constructor(private readonly charges: Map<string, Charge>) {}

  /** Locks the days of all capped keys that these runs are charged to, before the ledgers of their accounts. */
  static async lock(client: Queryable, runs: readonly ClaimedRun[]): Promise<BatchCaps> {
    const charged = runs.filter((run) => run.cappedKeyId !== null);
    if (charged.length === 0) return new BatchCaps(new Map());
    const { rows } = await client.query<Charge & { keyId: string }>({
      name: "lock_caps",
      text: `
        select key_id as "keyId", key_state as "keyState", cap_in_cents as "capInCents", used_in_cents as "usedInCents",
            room
          from lock_caps($1, $2, $3)`,
      values: [
        charged.map((run) => run.organizationId),
        charged.map((run) => run.cappedKeyId),
        charged.map((run) => run.now),
      ],
    });
    return new BatchCaps(new Map(rows.map(({ keyId, ...charge }) => [keyId, charge])));
  }

  /** The run's result under the cap: unchanged, held for approval, or failed. */
  apply(run: ClaimedRun, result: RunResult): RunResult {
    const charge = this.charges.get(run.cappedKeyId ?? "");
    const amountInCents = movedBy(result);
    if (!charge || amountInCents === 0) return result;
    const { keyState, capInCents, usedInCents } = charge;
    if (usedInCents + amountInCents > capInCents || keyState === "BUSY") return beyond(run, charge);
    charge.usedInCents += amountInCents;
    return result;
  }
}

function movedBy({ transfers }: RunResult): number {
  return transfers.reduce((sum, { errorCode, amountInCents }) => sum + (errorCode ? 0 : amountInCents), 0);
}

function beyond(run: ClaimedRun, charge: Charge): RunResult {
  const { keyState, capInCents, usedInCents } = charge;
  const now = run.now.getTime();
  if (keyState === "BUSY") {
    const nothing = failedRun(run, "");
    const dueAt = new Date(now + RETRY_MS);
    const waiting = { outcome: "WAIT", status: "IN_PROGRESS", errorMessage: null } as const;
    return { ...nothing, ...waiting, dueAt, attempts: run.attempts };
  }
  if (keyState === "OVER") return failedRun(run, CANNOT_PROPOSE.OVER);
  if (charge.room <= 0) return failedRun(run, CANNOT_PROPOSE.FULL);
  charge.room -= 1;
  return {
    ...failedRun(run, ""),
    outcome: "HELD",
    status: "APPROVAL_PENDING",
    errorMessage: null,
    held: { capInCents, usedInCents, ...deadlinesOf(run.now) },
  };
}
