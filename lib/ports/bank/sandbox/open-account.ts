import { createHash } from "node:crypto";
import type { BankAccount, BankAccountRequest } from "@/lib/ports/bank/bank-port";

export const SANDBOX_INSTITUTION = "Sandbox bank";
/** Of a routing number that no bank has: sandbox money must not look as if it could be sent anywhere. */
const ROUTING_NUMBER = "000000000";
const ACCOUNT_NUMBER_DIGITS = 12n;

/**
 * The sandbox derives an account's number from its id, so that it has nothing to remember and says the same whenever
 * it is asked.
 */
export function openAccount({ organizationId, accountId }: BankAccountRequest): BankAccount {
  const hash = createHash("sha256").update(`${organizationId} ${accountId}`).digest("hex");
  const accountNumber = String(BigInt(`0x${hash}`) % 10n ** ACCOUNT_NUMBER_DIGITS).padStart(12, "0");
  return {
    institutionName: SANDBOX_INSTITUTION,
    routingNumberLast4: ROUTING_NUMBER.slice(-4),
    accountNumberLast4: accountNumber.slice(-4),
  };
}
