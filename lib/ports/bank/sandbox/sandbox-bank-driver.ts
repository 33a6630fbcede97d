import type { Pool } from "pg";
import { goSilent, readSilence } from "@/lib/ports/bank/sandbox/drive-silence";
import { type MadeDeposit, makeDeposit, type NewDeposit } from "@/lib/ports/bank/sandbox/make-deposit";
import { returnDeposit, returnOrder } from "@/lib/ports/bank/sandbox/return-money";

/** What a member may do to the sandbox bank. A real bank has no such thing. */
export interface SandboxBankDriver {
  /** Somebody outside sends money; the bank tells of it when it is there. */
  deposit(input: NewDeposit): Promise<MadeDeposit>;
  /**
   * Makes an order come back at once: instead of settling, or after it.
   * @returns false where the bank has no such order, refused it, or has returned it already.
   */
  returnOrder(input: {
    organizationId: string;
    transferId: string;
    code: string;
    businessNow: Date;
  }): Promise<boolean>;
  /** Takes back a deposit, by the bank's reference. @returns false where it came back already. */
  returnDeposit(input: {
    organizationId: string;
    depositReference: string;
    code: string;
    businessNow: Date;
  }): Promise<boolean>;
  /** Answers nothing until then (business time). */
  goSilent(input: { organizationId: string; until: Date }): Promise<void>;
  /** Until when it answers nothing; null when it answers. */
  silentUntil(input: { organizationId: string; businessNow: Date }): Promise<Date | null>;
}

export function createSandboxBankDriver(pool: Pool): SandboxBankDriver {
  return {
    deposit: (input) => makeDeposit(pool, input),
    returnOrder: (input) => returnOrder(pool, input),
    returnDeposit: (input) => returnDeposit(pool, input),
    goSilent: (input) => goSilent(pool, input),
    silentUntil: (input) => readSilence(pool, input),
  };
}
