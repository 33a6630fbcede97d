import { z } from "zod";
import { addBankingDays, bankingDateOf, bankingInstant } from "@/lib/contract/banking-days";
import { type Adoption, readAdoption } from "@/lib/ports/bank/adoption";
import { type BankNotice, BankUnavailable } from "@/lib/ports/bank/bank-port";
import {
  collectFeed,
  EVENTS_PER_PAGE,
  type EventList,
  type EventPage,
  type Learned,
  PlaceRefused,
} from "@/lib/ports/bank/event-feed";
import { keepNotices } from "@/lib/ports/bank/inbox";
import { nameOr } from "@/lib/ports/bank/keepable";
import { eventIdSchema, toListed } from "@/lib/ports/bank/listed-event";
import { feedOf } from "@/lib/ports/bank/mercury/adopt-account";
import {
  eventForm,
  eventsSchema,
  type Mercury,
  type MercuryTransaction,
  read,
  transactionSchema,
} from "@/lib/ports/bank/mercury/call-mercury";
import { causeOf, isAfterAdoption, noticeOfDeposit, readKnown } from "@/lib/ports/bank/mercury/cause";
import {
  fateOf,
  ORDER_COLUMNS,
  type OrderFate,
  readFate,
  returnCode,
  type StoredOrder,
  setOrder,
} from "@/lib/ports/bank/mercury/orders";
import { RAIL_OF_KIND } from "@/lib/ports/bank/mercury/rails";
import { asAsked, endAside, Strikes, type Subject, setAside, Unreadable } from "@/lib/ports/bank/unread";

/** Mercury has no event for an approval, and asks to space questions out. */
const ASK_APPROVAL_EVERY_MS = 60_000;
/** Beside its events, in case one is missed. */
const ASK_PAYMENT_EVERY_MS = 15 * 60_000;
const ASKED_PER_ROUND = 20;
/** NACHA: the receiving bank has two banking days, and Mercury posts a payment up to a day before it settles. */
const FINAL_AFTER_BANKING_DAYS = 3;

/**
 * Reads new events of the adopted account, oldest first, and asks about open orders from time to time; keeps what the
 * product must book; see `collectFeed`.
 */
export async function collectNotices(mercury: Mercury, now: Date): Promise<void> {
  const adoption = await readAdoption(mercury.pool, mercury.setting.accountId);
  if (!adoption) return;
  await collectEvents(mercury, adoption, now);
  await askOpenOrders(mercury, adoption, now);
}

async function collectEvents(mercury: Mercury, adoption: Adoption, now: Date): Promise<void> {
  const list: EventList = {
    name: feedOf(mercury.setting),
    list: (place) => listEvents(mercury, place),
    look: (subject) => look(mercury, adoption, subject),
  };
  await collectFeed(mercury.pool, list, now);
}

async function listEvents(
  mercury: Mercury,
  { afterId, cursor }: { afterId: string | null; cursor: string | null },
): Promise<EventPage> {
  const after = cursor ?? afterId;
  const query = new URLSearchParams({
    resourceType: "transaction",
    order: "asc",
    limit: String(EVENTS_PER_PAGE),
    ...(after ? { start_after: after } : {}),
  });
  const answer = await mercury.call({ method: "GET", path: `/events?${query}` });
  if (answer.status !== 200) throw new PlaceRefused(`Mercury refuses to list events (${answer.status})`);
  const { events } = read(eventsSchema, answer);
  const listed = events.map((event) => toListed(event, eventForm));
  // An event is its own cursor, so one without an id is none.
  const last = events
    .map((event) => identifiedSchema.safeParse(event).data?.id)
    .findLast((id) => id !== undefined);
  return { events: listed, nextCursor: events.length < EVENTS_PER_PAGE ? null : (last ?? null) };
}

const identifiedSchema = z.object({ id: eventIdSchema });
/** What cannot be an id does not say that it is another account's. */
const accountSchema = z.object({ accountId: eventIdSchema });

async function look(mercury: Mercury, adoption: Adoption, { about, eventAt }: Subject): Promise<Learned> {
  const path = `/transaction/${encodeURIComponent(about)}`;
  const answer = await mercury.call({ method: "GET", path });
  // 404: deleted since, or not there yet, or of an account that the token may not read.
  if (answer.status !== 200) throw new Unreadable(`Mercury answers ${answer.status}`);
  // Events are of all accounts of the business.
  const of = accountSchema.safeParse(answer.body).data?.accountId;
  if (of !== undefined && of !== mercury.setting.accountId) return { notices: [] };
  const { organizationId } = adoption;
  const parsed = transactionSchema.safeParse(answer.body);
  if (!parsed.success) {
    const where = parsed.error.issues[0]?.path.join(".") ?? "";
    throw new Unreadable(`${where} is not as documented`, of === undefined ? null : organizationId);
  }
  return { notices: await learn(mercury, adoption, asAsked(about, parsed.data), eventAt) };
}

async function learn(
  mercury: Mercury,
  adoption: Adoption,
  transaction: MercuryTransaction,
  eventAt: Date,
): Promise<BankNotice[]> {
  const known = await readKnown(mercury, adoption, [transaction]);
  const cause = await causeOf(mercury, adoption, transaction, known);
  const isUnexplained = cause.kind === "OTHER" || cause.kind === "INTEREST";
  if (isUnexplained && isDepositWithoutAmount(adoption, transaction)) {
    throw new Unreadable("amount is not as documented", adoption.organizationId);
  }
  switch (cause.kind) {
    case "ORDER":
      return await applyFate(mercury, cause.order, fateOf(transaction), eventAt);
    case "DEPOSIT":
      return learnOfDeposit(adoption, transaction, eventAt);
    case "DEPOSIT_RETURN": {
      const { deposit, depositId } = cause;
      // Its deposit comes first, also if this event did.
      const arrived = deposit ? learnOfDeposit(adoption, deposit, eventAt) : [];
      const back = depositReturn(adoption, { depositId, code: returnCode(transaction), at: eventAt });
      return deposit && arrived.length === 0 ? [] : [...arrived.slice(0, 1), back];
    }
    default:
      // The money of a failed payment comes back as a transaction of its own; the payment itself says that it failed.
      // All other money out is on the statement alone.
      return [];
  }
}

/** Kinds of money in alone; all others name no direction. */
const MONEY_IN = new Set(["incomingDomesticWire", "incomingInternationalWire", "checkDeposit"]);

/**
 * Money that arrived, as its kind says or as nothing else explains, and an amount that no deposit has: the bank may
 * correct it without another event. A card is checked with a payment of nothing.
 */
function isDepositWithoutAmount(adoption: Adoption, transaction: MercuryTransaction): boolean {
  const { amount, kind, status } = transaction;
  if (status !== "sent" || !isAfterAdoption(adoption, transaction)) return false;
  return amount === 0 ? !/card/i.test(kind) : amount < 0 && MONEY_IN.has(kind);
}

const STATUSES = new Set(["pending", "sent", "cancelled", "failed", "reversed", "blocked"]);

/** Money that arrived since the account was adopted, and its return. */
function learnOfDeposit(adoption: Adoption, transaction: MercuryTransaction, noticedAt: Date): BankNotice[] {
  const { organizationId, incomeAccountId } = adoption;
  const { id, amount, postedAt, status } = transaction;
  if (amount <= 0) return [];
  // One that Mercury adds may mean that the money is there: nothing else would tell.
  if (!STATUSES.has(status)) throw new Unreadable("status is not as documented", organizationId);
  if (status === "sent" && !postedAt) throw new Unreadable("postedAt is missing", organizationId);
  if (!postedAt || !incomeAccountId || !isAfterAdoption(adoption, transaction)) return [];
  const isBack = status === "failed" || status === "reversed";
  if (status !== "sent" && !isBack) return [];
  const deposited: BankNotice = {
    kind: "DEPOSITED",
    organizationId,
    noticeReference: noticeOfDeposit(id),
    occurredAt: postedAt,
    depositReference: id,
    accountId: incomeAccountId,
    amountInCents: amount,
    rail: RAIL_OF_KIND.get(transaction.kind) ?? "BOOK",
    payerName: nameOr(transaction.counterpartyName, "Unknown"),
  };
  if (!isBack) return [deposited];
  const at = transaction.failedAt ?? noticedAt;
  return [deposited, depositReturn(adoption, { depositId: id, code: returnCode(transaction), at })];
}

function depositReturn(
  { organizationId }: Adoption,
  { depositId, code, at }: { depositId: string; code: string; at: Date },
): BankNotice {
  return {
    kind: "DEPOSIT_RETURNED",
    organizationId,
    noticeReference: `${depositId}:returned`,
    occurredAt: at,
    depositReference: depositId,
    code,
  };
}

/** Asks about orders that no event tells of: those that wait for approval, and all others now and then. */
async function askOpenOrders(mercury: Mercury, { organizationId }: Adoption, now: Date): Promise<void> {
  const { rows } = await mercury.pool.query<StoredOrder>({
    name: "list_open_mercury_orders",
    text: `update mercury_orders set asked_at = $3
            where organization_id = $1 and bank_account = $2 and transfer_id in (
              select transfer_id from mercury_orders
               where organization_id = $1 and bank_account = $2 and ended_at is null and expected_at is not null
                 and coalesce(asked_at, tried_at) <= case when transaction_id is null then $4 else $5 end::timestamptz
               order by coalesce(asked_at, tried_at) limit ${ASKED_PER_ROUND})
           returning ${ORDER_COLUMNS}`,
    values: [
      organizationId,
      mercury.setting.accountId,
      now,
      new Date(now.getTime() - ASK_APPROVAL_EVERY_MS),
      new Date(now.getTime() - ASK_PAYMENT_EVERY_MS),
    ],
  });
  const path = `/account/${mercury.setting.accountId}`;
  const strikes = new Strikes(() => mercury.call({ method: "GET", path }));
  for (const order of rows) await askOrder(mercury, order, { now, strikes });
}

/** One order that cannot be read is asked about again by itself, and delays no other. */
async function askOrder(
  mercury: Mercury,
  order: StoredOrder,
  { now, strikes }: { now: Date; strikes: Strikes },
): Promise<void> {
  const { organizationId, transferId } = order;
  const feed = feedOf(mercury.setting);
  const about = `order:${transferId}`;
  try {
    const notices = await applyFate(mercury, order, await readFate(mercury, order), now);
    await keepNotices(mercury.pool, { feed, events: [] }, notices);
    // Only now: nothing else tells of an approval that was refused.
    if (notices.some((notice) => isOver(notice, now))) await endOrder(mercury, order, now);
    await endAside(mercury.pool, feed, [about]);
    strikes.succeeded();
  } catch (error) {
    if (!(error instanceof BankUnavailable)) throw error;
    const subject = { about, eventId: null, eventAt: now };
    const failure = new Unreadable(error.message, organizationId);
    await setAside(mercury.pool, feed, subject, failure, { now, retries: false });
    await strikes.failed(error);
  }
}

/** A settled payment may come back until it is final, and is asked about until then. */
const isOver = (notice: BankNotice, now: Date) =>
  notice.kind === "RETURNED" ||
  (notice.kind === "SETTLED" && notice.finalAt !== null && notice.finalAt < now);

/** What an order's fate means for the product. Repeated, it says the same under the same references. */
async function applyFate(
  mercury: Mercury,
  order: StoredOrder,
  { state, code, bankWords, transaction }: OrderFate,
  noticedAt: Date,
): Promise<BankNotice[]> {
  if (transaction) await setOrder(mercury.pool, order, { transactionId: transaction.id });
  if (state === "PENDING") return [];
  const { organizationId, transferId } = order;
  const reference = order.requestId ?? order.transactionId ?? transferId;
  if (state === "SETTLED") {
    const occurredAt = transaction?.postedAt ?? noticedAt;
    const finalOn = addBankingDays(bankingDateOf(occurredAt), FINAL_AFTER_BANKING_DAYS);
    const finalAt = bankingInstant(finalOn, "08:30");
    return [
      {
        kind: "SETTLED",
        organizationId,
        transferId,
        noticeReference: `${reference}:settled`,
        occurredAt,
        code: null,
        rail: "ACH",
        feeInCents: 0,
        finalAt,
        availableAt: null,
      },
    ];
  }
  const occurredAt = transaction?.failedAt ?? noticedAt;
  return [
    {
      kind: "RETURNED",
      organizationId,
      transferId,
      noticeReference: `${reference}:returned`,
      occurredAt,
      code,
      ...(bankWords && { bankWords }),
    },
  ];
}

/** No longer asked about; an event still tells. */
async function endOrder({ pool }: Mercury, order: StoredOrder, at: Date): Promise<void> {
  await pool.query({
    name: "end_mercury_order",
    text: `update mercury_orders set ended_at = $3
            where organization_id = $1 and transfer_id = $2 and ended_at is null`,
    values: [order.organizationId, order.transferId, at],
  });
}
