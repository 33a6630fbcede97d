import { expireProposals } from "@/lib/core/approvals/expire-proposals";
import { remindDeciders } from "@/lib/core/approvals/remind-deciders";
import { refreshDueConnections } from "@/lib/core/connections/refresh-due-connections";
import { removeDisconnected } from "@/lib/core/connections/remove-disconnected";
import { forgetExpired } from "@/lib/core/forget-expired";
import { type MessagePorts, sendMessages } from "@/lib/core/notifications/send-messages";
import { sendNotices } from "@/lib/core/notifications/send-notices";
import { bookDueTransfers } from "@/lib/core/transfers/book-due-transfers";
import { collectBankNotices } from "@/lib/core/transfers/collect-bank-notices";
import { submitDueTransfers } from "@/lib/core/transfers/submit-due-transfers";
import {
  BOOK_TRANSFERS,
  COLLECT_BANK_NOTICES,
  EXPIRE_PROPOSALS,
  FORGET_EXPIRED,
  REFRESH_CONNECTIONS,
  REMIND_DECIDERS,
  REMOVE_CONNECTIONS,
  SEND_MESSAGES,
  SEND_NOTICES,
  SUBMIT_TO_BANK,
} from "@/lib/core/work-names";
import type { Services } from "@/lib/platform/services";
import type { WorkKind } from "@/lib/platform/work";
import type { AggregatorPort } from "@/lib/ports/aggregator/aggregator-port";
import type { BankPort } from "@/lib/ports/bank/bank-port";

export interface Ports extends MessagePorts {
  bank: BankPort;
  aggregator: AggregatorPort;
}

/** Every kind of due work, with how much of it at once and how often to look for what nobody woke it for. */
export function dueWork(services: Services, ports: Ports): WorkKind[] {
  const { bank, aggregator } = ports;
  const kind = (
    name: string,
    batchSize: number,
    pollIntervalMs: number,
    run: (limit: number) => Promise<number>,
  ): WorkKind => ({ name, batchSize, pollIntervalMs, runBatch: () => run(batchSize) });
  return [
    kind(BOOK_TRANSFERS, 64, 250, (limit) => bookDueTransfers(services, limit)),
    kind(SUBMIT_TO_BANK, 16, 500, (limit) => submitDueTransfers(services, bank, limit)),
    kind(COLLECT_BANK_NOTICES, 16, 1_000, (limit) => collectBankNotices(services, bank, limit)),
    kind(REFRESH_CONNECTIONS, 8, 5_000, (limit) => refreshDueConnections(services, aggregator, limit)),
    kind(REMOVE_CONNECTIONS, 8, 60_000, (limit) => removeDisconnected(services, aggregator, limit)),
    kind(EXPIRE_PROPOSALS, 100, 1_000, (limit) => expireProposals(services, limit)),
    kind(REMIND_DECIDERS, 100, 5_000, (limit) => remindDeciders(services, limit)),
    kind(SEND_NOTICES, 50, 1_000, (limit) => sendNotices(services, { isSandboxBank: bank.isSandbox }, limit)),
    kind(SEND_MESSAGES, 16, 1_000, (limit) => sendMessages(services, ports, limit)),
    kind(FORGET_EXPIRED, 1_000, 60_000, (limit) => forgetExpired(services, limit)),
  ];
}
