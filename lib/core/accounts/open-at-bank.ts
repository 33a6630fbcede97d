import { businessTime } from "@/lib/platform/clock";
import type { Services } from "@/lib/platform/services";
import type { BankAccount, BankPort } from "@/lib/ports/bank/bank-port";

interface LeasedRow {
  organization_id: string;
  id: string;
  name: string;
  attempts: number;
  clock_offset_ms: number;
}

/** Longer than the bank may take to answer. */
const LEASE_MS = 60_000;
const RETRY_MS = [5_000, 30_000, 120_000, 600_000, 1_800_000] as const;
const LAST_RETRY_MS = RETRY_MS[4];

/**
 * Asks the bank for the numbers of new income sources: leased, asked outside any transaction, recorded in one of its
 * own. The account's id is the bank's idempotency key, so asking twice opens nothing twice.
 * @returns how many were leased.
 */
export async function openAtBank(
  services: Pick<Services, "pool" | "clock" | "log">,
  bank: BankPort,
  limit: number,
): Promise<number> {
  const { rows } = await services.pool.query<LeasedRow>({
    name: "lease_accounts_to_open",
    text: "select * from lease_accounts_to_open($1, $2, $3)",
    values: [services.clock.now(), LEASE_MS, limit],
  });
  await Promise.all(rows.map((row) => openOne(services, bank, row)));
  return rows.length;
}

async function openOne(
  services: Pick<Services, "pool" | "clock" | "log">,
  bank: BankPort,
  row: LeasedRow,
): Promise<void> {
  const businessNow = businessTime(services.clock, row.clock_offset_ms);
  const opened = await ask(services, bank, row, businessNow);
  const retryMs = RETRY_MS[row.attempts - 1] ?? LAST_RETRY_MS;
  await services.pool.query({
    name: "record_opened_account",
    text: "select record_opened_account($1, $2, $3, $4, $5, $6, $7)",
    values: [
      row.organization_id,
      row.id,
      opened?.institutionName ?? null,
      opened?.routingNumberLast4 ?? null,
      opened?.accountNumberLast4 ?? null,
      new Date(businessNow.getTime() + retryMs),
      businessNow,
    ],
  });
}

/** Null when the bank did not say; whatever went wrong, it is asked again. */
async function ask(
  services: Pick<Services, "log">,
  bank: BankPort,
  row: LeasedRow,
  businessNow: Date,
): Promise<BankAccount | null> {
  try {
    return await bank.openAccount({
      organizationId: row.organization_id,
      accountId: row.id,
      name: row.name,
      businessNow,
    });
  } catch (error) {
    services.log.warn(
      { err: error, organizationId: row.organization_id, accountId: row.id, attempts: row.attempts },
      "the bank gave no numbers for an account and will be asked again",
    );
    return null;
  }
}
