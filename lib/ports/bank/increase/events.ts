import Increase from "increase";
import type { Pool } from "pg";
import { z } from "zod";
import { type BankNotice, BankUnavailable, type CorrectionNotice } from "@/lib/ports/bank/bank-port";
import {
  collectFeed,
  EVENTS_PER_PAGE,
  type EventList,
  type EventPage,
  type Learned,
  PlaceRefused,
} from "@/lib/ports/bank/event-feed";
import { createOnce } from "@/lib/ports/bank/increase/create-once";
import { DEPOSIT_CATEGORIES, learnOfDeposit } from "@/lib/ports/bank/increase/deposits";
import { toPortError } from "@/lib/ports/bank/increase/errors";
import {
  endOf,
  isReturned,
  isReturnUnreadable,
  isStatusKnown,
  transferOf,
} from "@/lib/ports/bank/increase/orders";
import { cursorOf, keyOf, timeIn } from "@/lib/ports/bank/increase/read-field";
import { eventIdSchema, eventTimeSchema, toListed } from "@/lib/ports/bank/listed-event";
import { asAsked, type Subject, Unreadable } from "@/lib/ports/bank/unread";

const ACH_UPDATED = "ach_transfer.updated";
/** What the product acts on; other events are not listed. */
const CATEGORIES = [ACH_UPDATED, ...DEPOSIT_CATEGORIES] as const;
const FEED = "increase";
/** NACHA: a consumer may dispute a debit for 60 days. */
const DEBIT_IS_FINAL_AFTER_MS = 60 * 86_400_000;
/** Accounts whose organization is remembered; the rest are asked about again. */
const MAXIMUM_OWNERS = 10_000;

/**
 * Reads new events, looks at what each is about, and keeps what the product must book; see `collectFeed`.
 * @returns one round
 */
export function createCollect(client: Increase, pool: Pool): (now: Date) => Promise<void> {
  const owners = new Map<string, string | null>();
  const list: EventList = {
    name: FEED,
    list: (place) => listEvents(client, place),
    look: (subject) => look(client, owners, subject),
  };
  return (now) => collectFeed(pool, list, now);
}

async function listEvents(
  client: Increase,
  { since, cursor }: { since: Date | null; cursor: string | null },
): Promise<EventPage> {
  try {
    const page = await client.events.list({
      category: { in: [...CATEGORIES] },
      order_by: { field: "created_at", direction: "ascending" },
      limit: EVENTS_PER_PAGE,
      ...(since ? { created_at: { on_or_after: since.toISOString() } } : {}),
      ...(cursor ? { cursor } : {}),
    });
    // A short page is the last one, whatever its cursor says.
    const isLast = page.data.length < EVENTS_PER_PAGE;
    return {
      events: page.data.map((event) => toListed(event, eventForm)),
      nextCursor: isLast ? null : cursorOf(page),
    };
  } catch (error) {
    if (isUnanswered(error)) throw toPortError(error);
    throw new PlaceRefused(`Increase refuses to list events (${statusOf(error)})`);
  }
}

const eventForm = {
  schema: z
    .object({
      id: eventIdSchema,
      category: z.string(),
      created_at: eventTimeSchema,
      associated_object_id: z.unknown(),
    })
    .transform(({ id, category, created_at: createdAt, associated_object_id: objectId }, context) => {
      const listed = { id, createdAt, about: null };
      // Its kind is the event's own: a type that nobody knows would be looked up nowhere.
      const kind = CATEGORIES.find((known) => known === category)?.split(".")[0];
      if (!kind) return listed;
      if (typeof objectId === "string" && /^[A-Za-z0-9_-]{1,200}$/.test(objectId)) {
        return { ...listed, about: `${kind}:${objectId}` };
      }
      context.addIssue({ code: "custom", path: ["associated_object_id"] });
      return z.NEVER;
    }),
  timeField: "created_at",
};

async function look(
  client: Increase,
  owners: Map<string, string | null>,
  { about, eventAt }: Subject,
): Promise<Learned> {
  const [kind = "", id = ""] = about.split(":");
  try {
    return kind === "ach_transfer"
      ? await learnOfTransfer(client, owners, { id, eventAt })
      : await learnOfDeposit(client, { kind, id });
  } catch (error) {
    if (error instanceof Unreadable || error instanceof BankUnavailable) throw error;
    if (isUnanswered(error)) throw toPortError(error);
    throw new Unreadable(explain(error));
  }
}

/** A wrong key, a limit, an error of Increase's, or none at all: all say nothing about what was asked. */
function isUnanswered(error: unknown): boolean {
  if (!(error instanceof Increase.APIError)) return false;
  const { status } = error;
  return status === undefined || status >= 500 || [401, 403, 408, 429].includes(status);
}

const statusOf = (error: unknown) =>
  error instanceof Increase.APIError ? (error.status ?? "no answer") : "no answer";

/** Without the bank's words: they may hold account numbers. */
function explain(error: unknown): string {
  if (error instanceof Increase.APIError) return `Increase answers ${error.status} (${error.name})`;
  return `Increase's answer is not as documented: ${error instanceof Error ? error.message : "unknown"}`;
}

/** `sluice-account:<organization>`; null for an account that Sluice did not open. Neither ever changes. */
async function organizationOf(
  client: Increase,
  owners: Map<string, string | null>,
  accountId: string,
): Promise<string | null> {
  const known = owners.get(accountId);
  if (known !== undefined) return known;
  const key = keyOf(asAsked(accountId, await client.accounts.retrieve(accountId)));
  const organizationId = key?.match(/^sluice-account:([0-9a-f-]{36})$/)?.[1] ?? null;
  if (owners.size < MAXIMUM_OWNERS) owners.set(accountId, organizationId);
  return organizationId;
}

async function learnOfTransfer(
  client: Increase,
  owners: Map<string, string | null>,
  { id, eventAt }: { id: string; eventAt: Date },
): Promise<Learned> {
  const transfer = asAsked(id, await client.achTransfers.retrieve(id));
  const organizationId = await organizationOf(client, owners, transfer.account_id);
  if (organizationId === null) return { notices: [] };
  const transferId = transferOf({ idempotency_key: keyOf(transfer) });
  // Made by someone else, in Increase's dashboard or by a program: the daily statement shows it.
  if (transferId === null) return { notices: [] };
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
      // A state that nobody knows is held until its time.
      availableAt: hold && hold.status !== "complete" ? new Date(hold.automatically_releases_at) : null,
    });
    if (hold && !isReturned(transfer)) notices.push(...releasedEarly(transfer, hold, common));
  }
  if (isReturnUnreadable(transfer)) {
    // What it says else is kept, and its return is read again.
    return { notices, failure: new Unreadable("return is not as documented", organizationId) };
  }
  const end = endOf(transfer);
  if (end) {
    const occurredAt = transfer.return ? new Date(transfer.return.created_at) : eventAt;
    const noticeReference = `${transfer.id}:${isReturned(transfer) ? "returned" : transfer.status}`;
    notices.push({ ...common, kind: "RETURNED", noticeReference, occurredAt, ...end });
  }
  let failure: Learned["failure"];
  if (!end && !isStatusKnown(transfer)) {
    failure = new Unreadable("status is not as documented", organizationId);
  }
  // Only null says that it has not settled, and no further event may come.
  if (!transfer.settlement && transfer.settlement !== null) {
    failure ??= new Unreadable("settlement is not as documented", organizationId);
  }
  const { notifications_of_change: changed } = transfer;
  if (changed && !Array.isArray(changed)) {
    return {
      notices,
      failure: new Unreadable("notifications_of_change is not as documented", organizationId),
    };
  }
  const changes = changed ?? [];
  for (const [index, change] of changes.entries()) {
    try {
      const corrected = await correct(client, transfer, { change, earlier: changes.slice(0, index) });
      if (corrected) notices.push({ ...common, ...corrected });
    } catch (error) {
      // What became of the order and later corrections count regardless.
      const unanswered = isUnanswered(error) ? toPortError(error) : null;
      if (unanswered instanceof BankUnavailable) return { notices, failure: unanswered };
      failure ??= new Unreadable(`a correction of the account: ${explain(error)}`, organizationId);
    }
  }
  return failure ? { notices, failure } : { notices };
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
  return submission && timeIn(submission.administrative_returns_expected_by);
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

type Change = Increase.ACHTransfer.NotificationsOfChange;

/** Numbers of a registered account cannot be changed, so the corrected account is registered as another one. */
async function correct(
  client: Increase,
  transfer: Increase.ACHTransfer,
  { change, earlier }: { change: Change; earlier: readonly Change[] },
): Promise<Omit<CorrectionNotice, "organizationId" | "transferId"> | null> {
  const code = CHANGE_CODE[change.change_code];
  if (!code || transfer.external_account_id === null) return null;
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
