import type { Queryable } from "@/lib/db/transaction";
import type { ProviderBalance } from "@/lib/ports/aggregator/aggregator-port";

/**
 * Stores each account's latest reported balance. Older reports change nothing, so of two workers the one that asked
 * first and finishes last does no harm.
 * @param accountIds our accounts by the provider's id
 */
export async function writeBalances(
  client: Queryable,
  organizationId: string,
  accountIds: ReadonlyMap<string, string>,
  balances: readonly ProviderBalance[],
): Promise<void> {
  const records = balances.flatMap((balance) => {
    const accountId = accountIds.get(balance.providerAccountId);
    return accountId === undefined ? [] : { ...balance, accountId };
  });
  if (records.length === 0) return;
  await client.query({
    name: "write_provider_balances",
    text: `
      insert into provider_balances as kept (organization_id, account_id, balance_in_cents, available_balance_in_cents,
          last_known_balance_in_cents, last_known_available_in_cents, last_statement_balance_in_cents,
          last_statement_date, next_payment_minimum_in_cents, next_payment_due_date, interest_rate_percentage,
          original_loan_amount_in_cents, refreshed_at, error)
      select $1, r."accountId", r."balanceInCents", r."availableBalanceInCents", r."balanceInCents",
          r."availableBalanceInCents", r."lastStatementBalanceInCents", r."lastStatementDate",
          r."nextPaymentMinimumInCents", r."nextPaymentDueDate", r."interestRatePercentage",
          r."originalLoanAmountInCents", r."asOf", null
        from jsonb_to_recordset($2::jsonb) as r ("accountId" uuid, "balanceInCents" bigint,
          "availableBalanceInCents" bigint, "lastStatementBalanceInCents" bigint, "lastStatementDate" date,
          "nextPaymentMinimumInCents" bigint, "nextPaymentDueDate" date, "interestRatePercentage" numeric,
          "originalLoanAmountInCents" bigint, "asOf" timestamptz)
       order by 2
      on conflict (organization_id, account_id) do update set
          balance_in_cents = excluded.balance_in_cents,
          available_balance_in_cents = excluded.available_balance_in_cents,
          last_known_balance_in_cents = coalesce(excluded.balance_in_cents, kept.last_known_balance_in_cents),
          last_known_available_in_cents =
            coalesce(excluded.available_balance_in_cents, kept.last_known_available_in_cents),
          last_statement_balance_in_cents = excluded.last_statement_balance_in_cents,
          last_statement_date = excluded.last_statement_date,
          next_payment_minimum_in_cents = excluded.next_payment_minimum_in_cents,
          next_payment_due_date = excluded.next_payment_due_date,
          interest_rate_percentage = excluded.interest_rate_percentage,
          original_loan_amount_in_cents = excluded.original_loan_amount_in_cents,
          refreshed_at = excluded.refreshed_at,
          error = null
        where kept.refreshed_at is null or kept.refreshed_at <= excluded.refreshed_at`,
    values: [organizationId, JSON.stringify(records)],
  });
}

/**
 * Records why the balances of a connection are unknown. The API then shows none (specification, Part 2, "Balance"); the
 * last known values remain stored with their time.
 */
export async function markBalancesUnknown(
  client: Queryable,
  organizationId: string,
  connectionId: string,
  errorCode: string,
): Promise<void> {
  await client.query({
    name: "mark_balances_unknown",
    text: `
      insert into provider_balances as kept (organization_id, account_id, error)
      select organization_id, id, $3 from accounts where organization_id = $1 and connection_id = $2 order by id
      on conflict (organization_id, account_id) do update set
          last_known_balance_in_cents = coalesce(kept.balance_in_cents, kept.last_known_balance_in_cents),
          last_known_available_in_cents =
            coalesce(kept.available_balance_in_cents, kept.last_known_available_in_cents),
          balance_in_cents = null, available_balance_in_cents = null, error = excluded.error`,
    values: [organizationId, connectionId, errorCode],
  });
}
