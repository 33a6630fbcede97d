import { expireProposals, remindDeciders } from "@/lib/core/approvals/expire-proposals";
import { collectCardNotices, createCardRounds } from "@/lib/core/cards/collect-card-notices";
import { expireCardAuthorizations } from "@/lib/core/cards/expire-card-authorizations";
import { refreshDueConnections } from "@/lib/core/connections/refresh-due-connections";
import { fireSchedules } from "@/lib/core/rules/fire-schedules";
import { runDueRules } from "@/lib/core/rules/run-due-rules";
import { bookDueTransfers } from "@/lib/core/transfers/book-due-transfers";
import {
  collectBankNotices,
  createBankRounds,
  releaseAvailableFunds,
} from "@/lib/core/transfers/collect-bank-notices";
import { submitDueTransfers } from "@/lib/core/transfers/submit-due-transfers";
import type { Ports } from "@/lib/core/work/due-work";
import type { Services } from "@/lib/platform/services";

/** Rule chains end at depth ten; what is still due after this many rounds is left to the workers. */
const MAXIMUM_ROUNDS = 50;
const BATCH = 50;

/**
 * Carries out what is due now until a round finds nothing, in the order that matters within one moment: money arrives
 * before rules look for it. Workers may do the same work concurrently, each item once. Failures are left to them.
 */
export function createCarryOutDue(
  services: Services,
  { bank, aggregator, cards }: Pick<Ports, "bank" | "aggregator" | "cards">,
): () => Promise<void> {
  const bankRounds = createBankRounds(services, bank);
  const cardRounds = createCardRounds(services, cards);
  return () =>
    carryOut(services, [
      () => collectBankNotices(services, bank, BATCH, bankRounds),
      () => releaseAvailableFunds(services, BATCH),
      () => collectCardNotices(services, cards, BATCH, cardRounds),
      () => refreshDueConnections(services, aggregator, BATCH),
      () => expireCardAuthorizations(services, BATCH),
      () => expireProposals(services, BATCH),
      () => remindDeciders(services, BATCH),
      () => fireSchedules(services, BATCH),
      () => runDueRules(services, BATCH),
      () => bookDueTransfers(services, BATCH),
      () => submitDueTransfers(services, bank, BATCH, bankRounds.outages),
    ]);
}

async function carryOut(services: Services, inOrder: readonly (() => Promise<number>)[]): Promise<void> {
  for (let round = 0; round < MAXIMUM_ROUNDS; round += 1) {
    let done = 0;
    for (const work of inOrder) {
      try {
        done += await work();
      } catch (error) {
        services.log.error({ err: error }, "work failed while moving a clock; the workers will retry");
      }
    }
    if (done === 0) return;
  }
}
