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

const EVERYTHING = "";

/**
 * When the account's latest transaction was posted; null: none since then. Nothing else of it needs to be read.
 * @throws BankUnavailable if a time cannot be read
 */
export async function readLatestPosting(requester: Requester, postedSince: Date): Promise<Date | null> {
  const { items, isHidden } = await allPages(requester, {
    sought: EVERYTHING,
    path: "/transactions",
    filter: { accountId: requester.setting.accountId, order: "asc", postedStart: postedSince.toISOString() },
    key: "transactions",
    idField: "id",
    schema: postedSchema,
  });
  if (isHidden) throw new BankUnavailable("Mercury's answer is not as documented at postedAt");
  return items.reduce<Date | null>(
    (latest, { postedAt }) => (postedAt && (!latest || postedAt > latest) ? postedAt : latest),
    null,
  );
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
