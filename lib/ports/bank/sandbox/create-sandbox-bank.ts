import type { Pool } from "pg";
import { BankOrderConflict, type BankPort, BankUnavailable, MAX_NOTICES } from "@/lib/ports/bank/bank-port";
import { readSilence } from "@/lib/ports/bank/sandbox/drive-silence";
import { findOrder } from "@/lib/ports/bank/sandbox/find-order";
import { listNotices } from "@/lib/ports/bank/sandbox/list-notices";
import { openAccount, SANDBOX_INSTITUTION } from "@/lib/ports/bank/sandbox/open-account";
import { submitOrder } from "@/lib/ports/bank/sandbox/submit-order";
import { acknowledgeNotices } from "@/lib/ports/sandbox-notices/acknowledge-notices";
import { listDueOrganizations } from "@/lib/ports/sandbox-notices/list-due-organizations";

/**
 * A bank that answers like a real one and moves no real money (docs/sandbox-bank.md). It keeps its own tables and takes
 * a pool, never a client, so that it cannot be drawn into a transaction of the product: a rollback there must not make
 * a bank forget.
 */
export function createSandboxBank(pool: Pool): BankPort {
  return {
    isSandbox: true,
    name: SANDBOX_INSTITUTION,
    openAccount: async (input) => await answered(pool, input, async () => openAccount(input)),
    submit: async (order, { businessNow }) => {
      if (!Number.isSafeInteger(order.amountInCents) || order.amountInCents <= 0) {
        throw new RangeError(`amountInCents must be a positive safe integer, not ${order.amountInCents}`);
      }
      const asker = { organizationId: order.organizationId, businessNow };
      return await answered(pool, asker, () => submitOrder(pool, order, businessNow));
    },
    find: async (input) => await answered(pool, input, () => findOrder(pool, input)),
    notices: async (input) => {
      assertBound("limit", input.limit, 1);
      return await answered(pool, input, () => listNotices(pool, input));
    },
    acknowledge: async (input) => {
      assertBound("noticeReferences", input.noticeReferences.length, 0);
      await answered(pool, input, () => acknowledgeNotices(pool, "sandbox_bank_notices", input));
    },
    organizationsWithNotices: async (input) => {
      assertBound("limit", input.limit, 1);
      return await reached(() => listDueOrganizations(pool, "sandbox_bank_notices", input));
    },
  };
}

/** The answer to one organization, unless a member has told the sandbox to be silent towards it. */
async function answered<T>(
  pool: Pool,
  asker: { organizationId: string; businessNow: Date },
  ask: () => Promise<T>,
): Promise<T> {
  return await reached(async () => {
    if (await readSilence(pool, asker)) throw new BankUnavailable("The sandbox bank does not answer");
    return await ask();
  });
}

/** A broken connection leaves open whether the bank recorded anything: the unknown outcome that the port names. */
async function reached<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof BankUnavailable || error instanceof BankOrderConflict) throw error;
    throw new BankUnavailable("The sandbox bank could not be reached", { cause: error });
  }
}

function assertBound(name: string, value: number, least: number): void {
  if (!Number.isInteger(value) || value < least || value > MAX_NOTICES) {
    throw new RangeError(`${name} must be from ${least} to ${MAX_NOTICES}, not ${value}`);
  }
}
