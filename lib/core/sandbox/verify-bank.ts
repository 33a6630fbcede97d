import type { Services } from "@/lib/platform/services";
import { type BankPort, BankRefusesKey, BankUnavailable } from "@/lib/ports/bank/bank-port";

/**
 * A key that the bank refuses, or that belongs to other accounts, stops the start. A bank that does not answer does not: orders
 * wait for it.
 * @throws Error for the operator
 */
export async function verifyBank(
  bank: Pick<BankPort, "name" | "verify">,
  log: Services["log"],
): Promise<void> {
  try {
    await bank.verify();
  } catch (error) {
    if (error instanceof BankRefusesKey) throw new Error(error.message, { cause: error });
    if (!(error instanceof BankUnavailable)) throw error;
    log.warn(
      { err: error, bank: bank.name },
      "the bank did not answer at the start, so its key is not verified",
    );
  }
}
