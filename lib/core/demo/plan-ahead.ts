import { addBankingDays, bankingInstant } from "@/lib/contract/banking-days";
import { CYCLE_DAYS, PAID_AT, PAYERS, paymentInCents } from "@/lib/core/demo/draft-cycle";
import type { DemoDeposit } from "@/lib/core/demo/history-step";
import { seededNumbers } from "@/lib/core/demo/seeded-numbers";

const SEED = 20_261_120;
/** A year: further than anybody moves the demo's clock to see what its rules do. */
const CYCLES_AHEAD = 52;

/**
 * What the demo's clients pay after `now`, once in each cycle as before: rules, card and owner go on taking money, and
 * would find none. Pure.
 */
export function planAhead(now: Date): DemoDeposit[] {
  const number = seededNumbers(SEED);
  return Array.from({ length: CYCLES_AHEAD }, (_, cycle) => ({
    to: "Client payments",
    amountInCents: paymentInCents(number),
    payerName: PAYERS[cycle % PAYERS.length] ?? "",
    origin: "DIRECT_DEPOSIT",
    madeAt: bankingInstant(addBankingDays(now, 1 + cycle * CYCLE_DAYS), PAID_AT),
  }));
}
