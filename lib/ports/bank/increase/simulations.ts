import Increase from "increase";
import type { AchReturnCode } from "@/lib/contract/transfer";
import { BankRefusesAccount } from "@/lib/ports/bank/bank-port";
import type { BankSimulations } from "@/lib/ports/bank/bank-simulations";
import { ascii } from "@/lib/ports/bank/increase/ascii";
import type { IncreaseSetting } from "@/lib/ports/bank/increase/create-increase-bank";
import { isInvalid, reached, wordsOf } from "@/lib/ports/bank/increase/errors";

const TIMEOUT_MS = 20_000;
/** Of a company's name in an ACH file. */
const COMPANY_NAME_LENGTH = 16;

type ReturnReason = NonNullable<Increase.Simulations.ACHTransferReturnParams["reason"]>;

const REASON: Record<AchReturnCode, ReturnReason> = {
  R01: "insufficient_fund",
  R02: "account_closed",
  R03: "no_account",
  R04: "invalid_account_number_structure",
  R08: "payment_stopped",
  R10: "customer_advised_unauthorized_improper_ineligible_or_incomplete",
  R16: "account_frozen_entry_returned_per_ofac_instruction",
  R29: "corporate_customer_advised_not_authorized",
};

/** The simulations of Increase's sandbox; there are none in production. */
export function createIncreaseSimulations(setting: IncreaseSetting): BankSimulations | null {
  if (setting.environment !== "sandbox") return null;
  const client = new Increase({
    apiKey: setting.apiKey,
    ...(setting.baseUrl === null ? { environment: setting.environment } : { baseURL: setting.baseUrl }),
    timeout: TIMEOUT_MS,
    maxRetries: 0,
    logLevel: "off",
  });
  return {
    bankName: "Increase",
    deposit: ({ organizationId, accountId, amountInCents, payerName }) =>
      simulated(async () => {
        const key = `sluice-number:${organizationId}:${accountId}`;
        const [number] = (await client.accountNumbers.list({ idempotency_key: key, limit: 1 })).data;
        if (!number) return null;
        const deposit = await client.simulations.inboundACHTransfers.create({
          account_number_id: number.id,
          amount: amountInCents,
          company_name: ascii(payerName, COMPANY_NAME_LENGTH, "Sample company"),
        });
        return deposit.acceptance?.transaction_id ?? deposit.id;
      }),
    settle: (transferId) =>
      onOrder(client, transferId, async ({ id }) => {
        await client.simulations.achTransfers.settle(id, {});
      }),
    sendBack: (transferId, code) =>
      onOrder(client, transferId, async ({ id }) => {
        await client.simulations.achTransfers.return(id, { reason: REASON[code] });
      }),
  };
}

/** Files leave every half hour: one that waits for the next is submitted first. */
async function onOrder(
  client: Increase,
  transferId: string,
  act: (transfer: Increase.ACHTransfer) => Promise<void>,
): Promise<boolean> {
  return await simulated(async () => {
    const [transfer] = (await client.achTransfers.list({ idempotency_key: transferId, limit: 1 })).data;
    if (!transfer) return false;
    try {
      if (transfer.status === "pending_submission") await client.simulations.achTransfers.submit(transfer.id);
      await act(transfer);
      return true;
    } catch (error) {
      if (error instanceof Increase.InvalidOperationError) return false;
      throw error;
    }
  });
}

async function simulated<T>(ask: () => Promise<T>): Promise<T> {
  return await reached(async () => {
    try {
      return await ask();
    } catch (error) {
      if (!isInvalid(error)) throw error;
      throw new BankRefusesAccount(
        `The bank’s sandbox refuses this: ${wordsOf(error) ?? "it gave no reason"}`,
      );
    }
  });
}
