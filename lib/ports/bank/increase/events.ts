import type Increase from "increase";
import type { Pool } from "pg";
import type { BankNotice, CorrectionNotice } from "@/lib/ports/bank/bank-port";
import { EVENT_OVERLAP_MS, findRead, forgetRead, keepNotices, readUntil } from "@/lib/ports/bank/inbox";
import { createOnce } from "@/lib/ports/bank/increase/create-once";
import { DEPOSIT_CATEGORIES, learnOfDeposit } from "@/lib/ports/bank/increase/deposits";
import { endOf } from "@/lib/ports/bank/increase/orders";

/** What the product acts on; other events are not listed. */
const CATEGORIES = ["ach_transfer.updated", ...DEPOSIT_CATEGORIES] as const;
const FEED = "increase";
const PAGE = 100;
/** Of one round; the next one continues where it ended. */
const MAXIMUM_PAGES = 20;
/** NACHA: a consumer may dispute a debit for 60 days. */
const DEBIT_IS_FINAL_AFTER_MS = 60 * 86_400_000;

/**
 * Reads new events, oldest first, looks at what each is about, and keeps what the product must book. An object that
 * cannot be read stops the round: its event is read again.
 */
export async function collectEvents(client: Increase, pool: Pool): Promise<void> {
  const latest = await readUntil(pool, FEED);
  const since = latest && new Date(latest.getTime() - EVENT_OVERLAP_MS);
  let cursor: string | null = null;
  for (let page = 0; page < MAXIMUM_PAGES; page += 1) {
    const events: { data: Increase.Event[]; next_cursor: string | null } = await client.events.list({
      category: { in: [...CATEGORIES] },
      order_by: { field: "created_at", direction: "ascending" },
      limit: PAGE,
      ...(since ? { created_at: { on_or_after: since.toISOString() } } : {}),
      ...(cursor ? { cursor } : {}),
    });
    const known = await findRead(
      pool,
      FEED,
      events.data.map((event) => event.id),
    );
    for (const event of events.data) {
      if (known.has(event.id)) continue;
      const read = { feed: FEED, id: event.id, createdAt: event.created_at };
      await keepNotices(pool, read, await learn(client, event));
    }
    cursor = events.next_cursor;
    if (cursor === null) break;
  }
  if (since) await forgetRead(pool, FEED, since);
}

async function learn(client: Increase, event: Increase.Event): Promise<BankNotice[]> {
  return event.category === "ach_transfer.updated"
    ? await learnOfTransfer(client, event)
    : await learnOfDeposit(client, event);
}

/** `sluice-account:<organization>`; null for an account that Sluice did not open. */
async function organizationOf(client: Increase, accountId: string): Promise<string | null> {
  const { idempotency_key: key } = await client.accounts.retrieve(accountId);
  return key?.match(/^sluice-account:([0-9a-f-]{36})$/)?.[1] ?? null;
}

async function learnOfTransfer(client: Increase, event: Increase.Event): Promise<BankNotice[]> {
  const transfer = await client.achTransfers.retrieve(event.associated_object_id);
  const organizationId = await organizationOf(client, transfer.account_id);
  const transferId = transfer.idempotency_key;
  // Made in Increase's dashboard, by someone else: the daily statement shows it.
  if (organizationId === null || transferId === null) return [];
  const common = { organizationId, transferId };
  const notices: BankNotice[] = [];
  if (transfer.settlement) {
    const occurredAt = new Date(transfer.settlement.settled_at);
    const hold = transfer.inbound_funds_hold;
    notices.push({
      ...common,
      kind: "SETTLED",
      noticeReference: `${transfer.id}:settled`,
      occurredAt,
      code: null,
      rail: "ACH",
      feeInCents: 0,
      finalAt: finalAt(transfer, occurredAt),
      availableAt: hold?.status === "held" ? new Date(hold.automatically_releases_at) : null,
    });
    if (hold && transfer.status !== "returned") notices.push(...releasedEarly(transfer, hold, common));
  }
  const end = endOf(transfer);
  if (end) {
    const occurredAt = new Date(transfer.return?.created_at ?? event.created_at);
    const noticeReference = `${transfer.id}:${transfer.status}`;
    notices.push({ ...common, kind: "RETURNED", noticeReference, occurredAt, ...end });
  }
  for (const [index, change] of transfer.notifications_of_change.entries()) {
    const corrected = await correct(client, transfer, change, index);
    if (corrected) notices.push({ ...common, ...corrected });
  }
  return notices;
}

/** Beside a settlement that was read while the money was held. */
function releasedEarly(
  transfer: Increase.ACHTransfer,
  hold: Increase.ACHTransfer.InboundFundsHold,
  common: { organizationId: string; transferId: string },
): BankNotice[] {
  if (hold.status !== "complete" || hold.released_at === null) return [];
  const occurredAt = new Date(hold.released_at);
  if (occurredAt >= new Date(hold.automatically_releases_at)) return [];
  return [{ ...common, kind: "RELEASED", noticeReference: `${transfer.id}:released`, occurredAt }];
}

function finalAt({ amount, submission }: Increase.ACHTransfer, settledAt: Date): Date | null {
  if (amount < 0) return new Date(settledAt.getTime() + DEBIT_IS_FINAL_AFTER_MS);
  return submission && new Date(submission.administrative_returns_expected_by);
}

/** Changes that name other numbers; the rest do not concern where money goes. */
const CHANGE_CODE: Partial<Record<Increase.ACHTransfer.NotificationsOfChange["change_code"], string>> = {
  incorrect_account_number: "C01",
  incorrect_routing_number: "C02",
  incorrect_routing_number_and_account_number: "C03",
  incorrect_transaction_code: "C05",
  incorrect_account_number_and_transaction_code: "C06",
  incorrect_routing_number_account_number_and_transaction_code: "C07",
};

/** Numbers of a registered account cannot be changed, so the corrected account is registered as another one. */
async function correct(
  client: Increase,
  transfer: Increase.ACHTransfer,
  change: Increase.ACHTransfer.NotificationsOfChange,
  index: number,
): Promise<Omit<CorrectionNotice, "organizationId" | "transferId"> | null> {
  const code = CHANGE_CODE[change.change_code];
  if (!code || transfer.external_account_id === null) return null;
  const earlier = transfer.notifications_of_change.slice(0, index);
  // Several of one second are several.
  const twins = earlier.filter(({ created_at: at }) => at === change.created_at).length;
  const noticeReference = `${transfer.id}:corrected:${change.created_at}${twins === 0 ? "" : `:${twins + 1}`}`;
  const registered = await client.externalAccounts.retrieve(transfer.external_account_id);
  const { account_number, routing_number, funding } = [...earlier, change].reduce(corrected, registered);
  const after = await createOnce(
    () =>
      client.externalAccounts.create(
        {
          description: registered.description,
          account_holder: registered.account_holder,
          routing_number,
          account_number,
          funding,
        },
        { idempotencyKey: `sluice-${noticeReference}` },
      ),
    (id) => client.externalAccounts.retrieve(id),
  );
  return {
    kind: "CORRECTED",
    noticeReference,
    occurredAt: new Date(change.created_at),
    code,
    bankReference: after.id,
    routingNumberLast4: after.routing_number.slice(-4),
    accountNumberLast4: after.account_number.slice(-4),
  };
}

type Numbers = Pick<Increase.ExternalAccount, "account_number" | "routing_number" | "funding">;

/** A later correction adds to an earlier one: each names only what it changes. */
function corrected(before: Numbers, change: Increase.ACHTransfer.NotificationsOfChange): Numbers {
  if (!CHANGE_CODE[change.change_code]) return before;
  const funding = change.corrected_account_funding === "loan" ? "other" : change.corrected_account_funding;
  return {
    account_number: change.corrected_account_number ?? before.account_number,
    routing_number: change.corrected_routing_number ?? before.routing_number,
    funding: funding ?? before.funding,
  };
}
