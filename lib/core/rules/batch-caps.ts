import { APPROVAL_EXPIRY_MS, REMINDER_BEFORE_EXPIRY_MS } from "@/lib/contract/limits";
import type { ClaimedRun } from "@/lib/core/rules/claim-runs";
import { failedRun, type RunResult } from "@/lib/core/rules/run-result";
import type { Queryable } from "@/lib/db/transaction";

/** A revocation takes milliseconds. */
const RETRY_MS = 1_000;

const NOBODY_TO_ASK = {
  OVER: "The daily cap of the key that set this run off is reached, and the key has ended, so nobody can be asked. Nothing moved.",
  FLOODED:
    "The daily cap of the key that set this run off is reached, and as many of its proposals wait as may. Nothing moved.",
} as const;

/** What a run may move on behalf of a key, which this transaction holds together with its day. */
interface Charge {
  /** `OVER`: revoked or ended; `BUSY`: being revoked at this moment; `FLOODED`: nobody can be asked for more. */
  keyState: "ACTIVE" | "OVER" | "BUSY" | "FLOODED";
  capInCents: number;
  /** Of the day, with what the runs of this batch have moved already. */
  usedInCents: number;
}

interface CapRow {
  key_id: string;
  key_state: Charge["keyState"];
  cap_in_cents: number;
  used_in_cents: number;
}

/**
 * What capped keys have left of their day, within one batch of runs. A run counts with all that it moves, whoever's money
 * it is: it would not have run without the key. One that does not fit is held for a person as a whole; half a rule is none.
 */
export class BatchCaps {
  private constructor(private readonly charges: Map<string, Charge>) {}

  /** Locks the days of all capped keys that these runs are charged to, before the money of their accounts. */
  static async lock(client: Queryable, runs: readonly ClaimedRun[]): Promise<BatchCaps> {
    const charged = runs.filter((run) => run.cappedKeyId !== null);
    if (charged.length === 0) return new BatchCaps(new Map());
    const { rows } = await client.query<CapRow>({
      name: "lock_caps",
      text: "select * from lock_caps($1, $2, $3)",
      values: [
        charged.map((run) => run.organizationId),
        charged.map((run) => run.cappedKeyId),
        charged.map((run) => run.now),
      ],
    });
    return new BatchCaps(
      new Map(
        rows.map((row) => [
          row.key_id,
          { keyState: row.key_state, capInCents: row.cap_in_cents, usedInCents: row.used_in_cents },
        ]),
      ),
    );
  }

  /** The run's result as it may be: as it is, held for a person, or not made. */
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

function beyond(run: ClaimedRun, { keyState, capInCents, usedInCents }: Charge): RunResult {
  const now = run.now.getTime();
  if (keyState === "BUSY") {
    const nothing = failedRun(run, "");
    const dueAt = new Date(now + RETRY_MS);
    const waiting = { outcome: "WAIT", status: "IN_PROGRESS", errorMessage: null } as const;
    return { ...nothing, ...waiting, dueAt, attempts: run.attempts };
  }
  if (keyState !== "ACTIVE") return failedRun(run, NOBODY_TO_ASK[keyState]);
  const expiresAt = new Date(now + APPROVAL_EXPIRY_MS);
  const remindAt = new Date(expiresAt.getTime() - REMINDER_BEFORE_EXPIRY_MS);
  return {
    ...failedRun(run, ""),
    outcome: "HELD",
    status: "APPROVAL_PENDING",
    errorMessage: null,
    held: { capInCents, usedInCents, expiresAt, remindAt },
  };
}
