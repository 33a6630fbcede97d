import type { Pool, PoolClient } from "pg";
import { AppError } from "@/lib/contract/error";
import type { ListSummary } from "@/lib/contract/search/list-filters";
import { inTransaction } from "@/lib/db/transaction";
import { hasCode } from "@/lib/platform/error-code";

/** A search reads as much as its filters match; longer than this it would hold others up. */
const MAXIMUM_MS = 5_000;
const CANCELED_BY_TIMEOUT = "57014";

/**
 * Runs the statements of a search in a short read-only transaction. Without plans that read a whole table in order of time: for
 * a rare text they would read all of it, where its index reads a few rows.
 * @throws AppError `INVALID_PARAMETERS` if they take too long
 */
export async function searchList<T>(
  pool: Pick<Pool, "connect">,
  search: (client: PoolClient) => Promise<T>,
): Promise<T> {
  try {
    return await inTransaction(
      pool,
      async (client) => {
        await client.query({
          name: "limit_search",
          text: "select set_config('statement_timeout', $1, true), set_config('enable_seqscan', 'off', true)",
          values: [`${MAXIMUM_MS}ms`],
        });
        return search(client);
      },
      { readOnly: true },
    );
  } catch (error) {
    if (!hasCode(error, CANCELED_BY_TIMEOUT)) throw error;
    throw new AppError(
      "INVALID_PARAMETERS",
      `The search took more than ${MAXIMUM_MS / 1_000} seconds. Narrow it: name an account, from and to, or a longer text.`,
    );
  }
}

/** Matches the typed text anywhere, in any case; its wildcards are literal. */
export const containing = (typed: string): string => `%${literally(typed)}%`;

/** Matches exactly this text, in any case. */
export const literally = (typed: string): string => typed.replace(/[\\%_]/g, (sign) => `\\${sign}`);

/** SQL: the columns of `ListSummary` over rows with `amount_in_cents` and `flow` (`MONEY_IN`, `MONEY_OUT` or other). */
export const SUMMARY_COLUMNS = `
  count(*)::int as count, coalesce(sum(amount_in_cents), 0)::bigint as "sumInCents",
  coalesce(sum(amount_in_cents) filter (where flow = 'MONEY_IN'), 0)::bigint as "moneyInInCents",
  coalesce(sum(amount_in_cents) filter (where flow = 'MONEY_OUT'), 0)::bigint as "moneyOutInCents"`;

/** The one row of `SUMMARY_COLUMNS`. */
export function toSummary(rows: readonly ListSummary[]): ListSummary {
  if (!rows[0]) throw new Error("A summary has one row");
  return rows[0];
}
