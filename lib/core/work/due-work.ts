import { expireProposals, remindDeciders } from "@/lib/core/approvals/expire-proposals";
import { type AuditArchiveSetting, archiveAuditReads } from "@/lib/core/audit/archive-audit-reads";
import { sealAuditEntries } from "@/lib/core/audit/seal-audit-entries";
import { collectCardNotices, createCardRounds } from "@/lib/core/cards/collect-card-notices";
import { expireCardAuthorizations } from "@/lib/core/cards/expire-card-authorizations";
import { removeDisconnected } from "@/lib/core/connections/disconnect";
import { refreshDueConnections } from "@/lib/core/connections/refresh-due-connections";
import { remindOfReviews } from "@/lib/core/fraud-monitoring/remind-of-review";
import { endLapsedConnections } from "@/lib/core/keys/disconnect-assistant";
import { endReplacedKeys } from "@/lib/core/keys/replace-api-key";
import { watchKeys } from "@/lib/core/keys/watch-keys";
import { openAtBank } from "@/lib/core/ledger/create-account";
import { keepOwnAccounts } from "@/lib/core/ledger/own-bank-accounts";
import { forgetMessages } from "@/lib/core/notifications/forget-messages";
import { noteWeeks } from "@/lib/core/notifications/note-weeks";
import { type MessagePorts, sendMessages } from "@/lib/core/notifications/send-messages";
import { sendNotices } from "@/lib/core/notifications/send-notices";
import { sendPush } from "@/lib/core/notifications/send-push";
import { checkIdentities } from "@/lib/core/organizations/check-identities";
import { createProfileUpkeep } from "@/lib/core/profile/keep-profiles-ready";
import { reconcileDue } from "@/lib/core/reconciliation/reconcile";
import { fireSchedules } from "@/lib/core/rules/fire-schedules";
import { runDueRules } from "@/lib/core/rules/run-due-rules";
import type { PushSetting } from "@/lib/core/shared/push-setting";
import {
  ARCHIVE_AUDIT_READS,
  BOOK_TRANSFERS,
  CHECK_IDENTITIES,
  COLLECT_BANK_NOTICES,
  COLLECT_CARD_NOTICES,
  DELIVER_EVENTS,
  END_LAPSED_CONNECTIONS,
  END_REPLACED_KEYS,
  EXPIRE_CARD_AUTHORIZATIONS,
  EXPIRE_PROPOSALS,
  FIRE_SCHEDULES,
  FORGET_EVENTS,
  FORGET_EXPIRED,
  FORGET_MESSAGES,
  KEEP_OWN_ACCOUNTS,
  KEEP_PROFILES_READY,
  NOTE_WEEKS,
  OPEN_AT_BANK,
  RECONCILE,
  REFRESH_CONNECTIONS,
  RELEASE_FUNDS,
  REMIND_DECIDERS,
  REMIND_OF_REVIEWS,
  REMOVE_CONNECTIONS,
  RENEW_ENCRYPTION,
  RUN_RULES,
  SEAL_AUDIT,
  SEND_MESSAGES,
  SEND_NOTICES,
  SEND_PUSH,
  SUBMIT_TO_BANK,
  WATCH_KEYS,
} from "@/lib/core/shared/work-names";
import { bookDueTransfers } from "@/lib/core/transfers/book-due-transfers";
import {
  collectBankNotices,
  createBankRounds,
  releaseAvailableFunds,
} from "@/lib/core/transfers/collect-bank-notices";
import { submitDueTransfers } from "@/lib/core/transfers/submit-due-transfers";
import { createEventDelivery } from "@/lib/core/webhooks/deliver-events";
import { forgetEvents } from "@/lib/core/webhooks/forget-events";
import type { WebhookSetting } from "@/lib/core/webhooks/webhook-setting";
import { forgetExpired } from "@/lib/core/work/forget-expired";
import { createRenewal } from "@/lib/core/work/renew-encryption";
import type { ProductSecrets } from "@/lib/platform/product-secrets";
import type { Services } from "@/lib/platform/services";
import type { WorkKind } from "@/lib/platform/work";
import type { AggregatorPort } from "@/lib/ports/aggregator/aggregator-port";
import type { BankPort } from "@/lib/ports/bank/bank-port";
import type { CardNetworkPort } from "@/lib/ports/cards/card-network-port";
import type { IdentityPort } from "@/lib/ports/identity/identity-port";

export interface Ports extends MessagePorts {
  bank: BankPort;
  aggregator: AggregatorPort;
  cards: CardNetworkPort;
  identity: IdentityPort;
  webhooks: WebhookSetting;
  push: PushSetting;
  auditArchives: AuditArchiveSetting;
}

/** Together with the interval below a second, in which entries are sealed; of several processes, one seals for all. */
const SEAL_REST_MS = 200;

/** Every kind of due work, with its batch size and how often to check without being woken. */
export function dueWork(services: Services, ports: Ports, secrets: ProductSecrets): WorkKind[] {
  const { bank, aggregator, cards, identity } = ports;
  const kind = (
    name: string,
    batchSize: number,
    pollIntervalMs: number,
    run: (limit: number) => Promise<number>,
    more: Pick<WorkKind, "restMs" | "followedBy" | "drain"> = {},
  ): WorkKind => ({ name, batchSize, pollIntervalMs, runBatch: () => run(batchSize), ...more });
  const emits = { followedBy: [DELIVER_EVENTS] };
  const events = createEventDelivery(services, ports.webhooks);
  const bankRounds = createBankRounds(services, bank);
  const cardRounds = createCardRounds(services, cards);
  return [
    kind(BOOK_TRANSFERS, 64, 250, (limit) => bookDueTransfers(services, limit), emits),
    kind(RUN_RULES, 64, 250, (limit) => runDueRules(services, limit), emits),
    kind(
      SUBMIT_TO_BANK,
      16,
      500,
      (limit) => submitDueTransfers(services, bank, limit, bankRounds.outages),
      emits,
    ),
    kind(
      COLLECT_BANK_NOTICES,
      16,
      bank.noticeIntervalMs,
      (limit) => collectBankNotices(services, bank, limit, bankRounds),
      emits,
    ),
    kind(RELEASE_FUNDS, 100, 5_000, (limit) => releaseAvailableFunds(services, limit)),
    kind(REFRESH_CONNECTIONS, 8, 5_000, (limit) => refreshDueConnections(services, aggregator, limit), emits),
    kind(REMOVE_CONNECTIONS, 8, 60_000, (limit) => removeDisconnected(services, aggregator, limit)),
    kind(OPEN_AT_BANK, 16, 5_000, (limit) => openAtBank(services, bank, limit, bankRounds.outages)),
    kind(KEEP_OWN_ACCOUNTS, 16, 2_000, (limit) => keepOwnAccounts(services, bank, limit, bankRounds.outages)),
    kind(RECONCILE, 8, 5_000, (limit) => reconcileDue(services, { bank, cards }, limit, bankRounds.outages)),
    kind(CHECK_IDENTITIES, 8, 2_000, (limit) =>
      checkIdentities(services, identity, { isSandboxBank: bank.isSandbox }, limit),
    ),
    kind(
      COLLECT_CARD_NOTICES,
      16,
      1_000,
      (limit) => collectCardNotices(services, cards, limit, cardRounds),
      emits,
    ),
    kind(EXPIRE_CARD_AUTHORIZATIONS, 100, 5_000, (limit) => expireCardAuthorizations(services, limit)),
    kind(EXPIRE_PROPOSALS, 100, 1_000, (limit) => expireProposals(services, limit), emits),
    kind(REMIND_DECIDERS, 100, 5_000, (limit) => remindDeciders(services, limit)),
    kind(REMIND_OF_REVIEWS, 50, 60_000, (limit) => remindOfReviews(services, limit)),
    kind(NOTE_WEEKS, 100, 30_000, (limit) => noteWeeks(services, limit)),
    kind(
      SEND_NOTICES,
      50,
      1_000,
      (limit) => sendNotices(services, { isSandboxBank: bank.isSandbox }, limit),
      // Each proposal wakes it: under load, one claim for those of 50 ms.
      { restMs: 50 },
    ),
    kind(SEND_MESSAGES, 16, 1_000, (limit) => sendMessages(services, ports, limit)),
    kind(SEND_PUSH, 32, 1_000, (limit) => sendPush(services, ports.push, limit)),
    kind(END_REPLACED_KEYS, 20, 1_000, (limit) => endReplacedKeys(services, limit), emits),
    // Few at a time: a key is locked while it is checked, and once a minute its next request waits for that.
    kind(WATCH_KEYS, 16, 5_000, (limit) => watchKeys(services, limit)),
    kind(END_LAPSED_CONNECTIONS, 20, 60_000, (limit) => endLapsedConnections(services, limit), emits),
    kind(FIRE_SCHEDULES, 100, 1_000, (limit) => fireSchedules(services, limit)),
    // Never woken: entries of a quarter second share one transaction, and are sealed within the second.
    kind(SEAL_AUDIT, 500, 250, (limit) => sealAuditEntries(services, limit, SEAL_REST_MS)),
    kind(ARCHIVE_AUDIT_READS, 1, 3_600_000, () => archiveAuditReads(services, ports.auditArchives)),
    kind(DELIVER_EVENTS, 128, 250, events.runBatch, { restMs: 2, drain: events.drain }),
    kind(FORGET_EVENTS, 1_000, 60_000, (limit) => forgetEvents(services, limit)),
    kind(FORGET_MESSAGES, 1_000, 60_000, (limit) => forgetMessages(services, limit)),
    {
      name: KEEP_PROFILES_READY,
      batchSize: 1,
      pollIntervalMs: 60_000,
      runBatch: createProfileUpkeep(services),
    },
    kind(RENEW_ENCRYPTION, 200, 30_000, createRenewal(services, secrets)),
    kind(FORGET_EXPIRED, 1_000, 60_000, (limit) => forgetExpired(services, limit)),
  ];
}
