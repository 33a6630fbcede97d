import { AggregatorUnavailable } from "@/lib/ports/aggregator/aggregator-port";

/**
 * Plaid tells dollars as JSON numbers with at most two decimals, which a double holds only nearly: 19.99 × 100 is
 * 1998.9999…. Rounding gives the cents that were meant for every amount that is a safe integer of them.
 * @throws AggregatorUnavailable for what is no such amount: better none than a wrong one.
 */
export function toCents(dollars: number): number {
  const cents = Math.round(dollars * 100);
  if (!Number.isSafeInteger(cents)) {
    throw new AggregatorUnavailable("AMOUNT_OUT_OF_RANGE", "Plaid told an amount that is none");
  }
  // No negative zero.
  return cents + 0;
}

export function toCentsOrNull(dollars: number | null | undefined): number | null {
  return dollars === null || dollars === undefined ? null : toCents(dollars);
}
