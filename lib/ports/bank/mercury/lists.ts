import { z } from "zod";
import { BankSearchIncomplete, BankUnavailable } from "@/lib/ports/bank/bank-port";
import {
  approvalSchema,
  type CallMercury,
  type MercuryApproval,
  type MercuryRecipient,
  type MercurySetting,
  type MercuryTransaction,
  postedSchema,
  read,
  recipientSchema,
  transactionSchema,
  transactionsSchema,
  UNREADABLE_TIME,
} from "@/lib/ports/bank/mercury/call-mercury";

interface Requester {
  call: CallMercury;
  setting: MercurySetting;
}

const PAGE = 1_000;
/** Half a million items, of which only those that are asked for are kept. */
const MAXIMUM_PAGES = 500;

/** A list of which every item is read by itself: one that is not as documented hides no other. */
export interface Listed<Item> {
  items: Item[];
  /** Whether what was looked for is named by an item that cannot be read. */
  isHidden: boolean;
}

/** What is looked for: a text that Sluice wrote into it. */
interface Sought {
  sought: string;
}

/** A page with such an item is the last one that is read: the search has ended. */
interface Search<Item> extends Sought {
  createdSince: Date;
  isSought: (item: Item) => boolean;
}

/** Approval requests of the account since a time, in Mercury's order, which is not documented. */
export async function listApprovals(
  requester: Requester,
  { sought, createdSince, isSought }: Search<MercuryApproval>,
): Promise<Listed<MercuryApproval>> {
  return await allPages(requester, {
    sought,
    isSought,
    path: "/request-send-money",
    filter: { accountId: requester.setting.accountId },
    key: "requests",
    idField: "requestId",
    schema: approvalSchema,
    isWanted: ({ createdAt }) => createdAt >= createdSince,
  });
}

/** Transactions that an approval request made. */
export async function listTransactionsOf(
  { call, setting }: Requester,
  requestId: string,
): Promise<MercuryTransaction[]> {
  // Only the list of one account is filtered by the request; without a start it covers 30 days.
  const query = new URLSearchParams({ requestId, start: "2000-01-01", limit: "10" });
  const path = `/account/${setting.accountId}/transactions?${query}`;
  return read(transactionsSchema, await call({ method: "GET", path })).transactions;
}

/** The transactions of the account since a time of creation, oldest first. */
export async function listTransactions(
  requester: Requester,
  { sought, createdSince, isSought }: Search<MercuryTransaction>,
): Promise<Listed<MercuryTransaction>> {
  return await allPages(requester, {
    sought,
    isSought,
    path: "/transactions",
    filter: { accountId: requester.setting.accountId, order: "asc", start: createdSince.toISOString() },
    key: "transactions",
    idField: "id",
    schema: transactionSchema,
  });
}

export interface Postings {
  /** When the latest transaction was posted; null: none since then. */
  latest: Date | null;
  /** The ids of those of which nobody can read when; `isPending`: their money has not arrived. */
  unreadable: { id: string; isPending: boolean }[];
}

/** JSON never has it. */
const NOTHING = "\u0000";
/** More than odd answers explain: then nothing is known of the account. */
const MOST_UNREADABLE = 1_000;

/**
 * What was posted to the account. Nothing but the time needs to be read, and one that cannot be hides no other.
 * @throws BankUnavailable if hardly a time can be read
 */
export async function readPostings(requester: Requester, postedSince: Date): Promise<Postings> {
  const { items } = await allPages(requester, {
    sought: NOTHING,
    path: "/transactions",
    filter: { accountId: requester.setting.accountId, order: "asc", postedStart: postedSince.toISOString() },
    key: "transactions",
    idField: "id",
    schema: postedSchema,
  });
  const times = items.flatMap(({ postedAt }) => (postedAt && postedAt !== UNREADABLE_TIME ? [postedAt] : []));
  const unreadable = items.flatMap(({ id, status, postedAt }) =>
    postedAt === UNREADABLE_TIME && id !== null ? [{ id, isPending: status === "pending" }] : [],
  );
  if (unreadable.length > MOST_UNREADABLE) {
    throw new BankUnavailable("Mercury's answer is not as documented at postedAt");
  }
  const latest = times.reduce<Date | null>((last, at) => (last && last >= at ? last : at), null);
  return { latest, unreadable };
}

/** Recipients with this nickname. */
export async function listRecipients(
  requester: Requester,
  { sought, nickname }: Sought & { nickname: string },
): Promise<Listed<MercuryRecipient>> {
  return await allPages(requester, {
    sought,
    path: "/recipients",
    filter: {},
    key: "recipients",
    idField: "id",
    schema: recipientSchema,
    isWanted: (recipient) => recipient.nickname === nickname,
  });
}

/**
 * Every page of a list: the next one starts after the last item, as Mercury's own SDK does.
 * @throws BankSearchIncomplete if there are more than are read at once: half a list would look like a whole one
 */
async function allPages<Item>(
  { call }: Requester,
  list: Sought & {
    path: string;
    filter: Record<string, string>;
    key: string;
    idField: string;
    schema: z.ZodType<Item>;
    isWanted?: (item: Item) => boolean;
    isSought?: (item: Item) => boolean;
  },
): Promise<Listed<Item>> {
  const { sought, path, filter, key, idField, schema, isWanted = () => true, isSought = () => false } = list;
  const pageSchema = z.object({ [key]: z.array(z.unknown()).max(PAGE) });
  const placeSchema = z.object({ [idField]: z.string().min(1).max(100) });
  const all: Listed<Item> = { items: [], isHidden: false };
  let after: string | null = null;
  for (let page = 0; page < MAXIMUM_PAGES; page += 1) {
    const query = new URLSearchParams({
      ...filter,
      limit: String(PAGE),
      ...(after ? { start_after: after } : {}),
    });
    const answer = await call({ method: "GET", path: `${path}?${query}` });
    const listed: readonly unknown[] = read(pageSchema, answer)[key] ?? [];
    for (const one of listed) {
      const parsed = schema.safeParse(one);
      if (!parsed.success) all.isHidden ||= JSON.stringify(one).includes(sought);
      else if (isWanted(parsed.data)) all.items.push(parsed.data);
    }
    if (listed.length < PAGE || all.items.some(isSought)) return all;
    const last = listed.map((one) => placeSchema.safeParse(one).data?.[idField]).findLast(Boolean);
    if (!last || last === after) break;
    after = last;
  }
  throw new BankSearchIncomplete(`Mercury lists more than ${MAXIMUM_PAGES} pages, or goes in a circle`);
}
