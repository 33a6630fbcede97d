import { businessTime } from "@/lib/platform/clock";
import { Outages } from "@/lib/platform/outages";
import type { Services } from "@/lib/platform/services";
import { type BankAccount, type BankPort, BankUnavailable } from "@/lib/ports/bank/bank-port";

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
  outages = new Outages(services, "the bank"),
): Promise<number> {
  const { rows } = await services.pool.query<LeasedRow>({
    name: "lease_accounts_to_open",
    text: "select * from lease_accounts_to_open($1, $2, $3)",
    values: [services.clock.now(), LEASE_MS, limit],
  });
  await Promise.all(rows.map((row) => openOne(services, bank, row, outages)));
  return rows.length;
}

async function openOne(
  services: Pick<Services, "pool" | "clock" | "log">,
  bank: BankPort,
  row: LeasedRow,
  outages: Outages,
): Promise<void> {
  const businessNow = businessTime(services.clock, row.clock_offset_ms);
  const opened = await ask(services, bank, row, { businessNow, outages });
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
  { businessNow, outages }: { businessNow: Date; outages: Outages },
): Promise<BankAccount | null> {
  const { organization_id: organizationId, id: accountId, name, attempts } = row;
  try {
    const account = await bank.openAccount({ organizationId, accountId, name, businessNow });
    outages.answered(organizationId);
    return account;
  } catch (error) {
    const about = { organizationId, accountId, attempts };
    if (error instanceof BankUnavailable) outages.failed(organizationId, businessNow, error, about);
    else {
      services.log.error(
        { err: error, ...about },
        "the bank gave no numbers for an account and will be asked again",
      );
    }
    return null;
  }
}
