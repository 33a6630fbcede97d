import {
  approvalsSchema,
  type CallMercury,
  type MercuryApproval,
  type MercurySetting,
  type MercuryTransaction,
  read,
  transactionsSchema,
} from "@/lib/ports/bank/mercury/call-mercury";

interface Asker {
  call: CallMercury;
  setting: MercurySetting;
}

const PAGE = 1_000;
const MAXIMUM_PAGES = 20;

/** All approval requests of the account, in Mercury's order, which is not documented. */
export async function listApprovals({ call, setting }: Asker): Promise<MercuryApproval[]> {
  return await allPages(
    { accountId: setting.accountId },
    async (query) =>
      read(approvalsSchema, await call({ method: "GET", path: `/request-send-money?${query}` })).requests,
    (approval) => approval.requestId,
  );
}

/**
 * Transactions of the account, oldest first.
 * @param filter.createdSince the earliest creation
 * @param filter.postedSince the earliest posting
 */
export async function listTransactions(
  { call, setting }: Asker,
  filter: { createdSince?: Date; postedSince?: Date; requestId?: string },
): Promise<MercuryTransaction[]> {
  const { createdSince, postedSince, requestId } = filter;
  if (requestId !== undefined) {
    // Only the list of one account is filtered by the request; without a start it covers 30 days.
    const query = new URLSearchParams({ requestId, start: "2000-01-01", limit: "10" });
    const path = `/account/${setting.accountId}/transactions?${query}`;
    return read(transactionsSchema, await call({ method: "GET", path })).transactions;
  }
  return await allPages(
    {
      accountId: setting.accountId,
      order: "asc",
      ...(createdSince ? { start: createdSince.toISOString() } : {}),
      ...(postedSince ? { postedStart: postedSince.toISOString() } : {}),
    },
    async (query) =>
      read(transactionsSchema, await call({ method: "GET", path: `/transactions?${query}` })).transactions,
    (transaction) => transaction.id,
  );
}

/**
 * Every page of a list: the next one starts after the last item, as Mercury's own SDK does.
 * @throws RangeError if there are more than are read at once: half a list would look like a whole one
 */
export async function allPages<Item>(
  filter: Record<string, string>,
  ask: (query: string) => Promise<Item[]>,
  idOf: (item: Item) => string,
): Promise<Item[]> {
  const all: Item[] = [];
  let after: string | null = null;
  for (let page = 0; page < MAXIMUM_PAGES; page += 1) {
    const query = new URLSearchParams({
      ...filter,
      limit: String(PAGE),
      ...(after ? { start_after: after } : {}),
    });
    const items = await ask(query.toString());
    all.push(...items);
    const last = items.at(-1);
    if (items.length < PAGE || !last) return all;
    after = idOf(last);
  }
  throw new RangeError("Mercury lists more than is read at once.");
}
