import type { Answer } from "./call.js";

/** A page of any list of the API. */
export interface ItemPage<Item> {
  items: Item[];
  pagination: { page: number; hasNextPage: boolean };
}

export interface EachItemOptions {
  /** Stops here even if there are more, to bound memory and time. */
  maximumItems: number;
}

/**
 * The items of a list, page by page as they are needed.
 *
 *     for await (const transfer of eachItem((page) => sluice.listTransfers({ accountId, page, pageSize: 100 }), { maximumItems: 1_000 }))
 *
 * Lists grow at their beginning while they are read, which moves items on to the next page: one with an `id` that has
 * come before is left out.
 */
export async function* eachItem<Item>(
  readPage: (page: number) => Promise<Answer<ItemPage<Item>>>,
  { maximumItems }: EachItemOptions,
): AsyncGenerator<Item, void, undefined> {
  const seen = new Set<unknown>();
  let given = 0;
  // Each page has an item or is the last, so there are at most as many pages as items.
  for (let page = 1; page <= maximumItems; page++) {
    const { data } = await readPage(page);
    for (const item of data.items) {
      const id = idOf(item);
      if (id !== undefined && seen.has(id)) continue;
      if (id !== undefined) seen.add(id);
      if (given >= maximumItems) return;
      given += 1;
      yield item;
    }
    if (!data.pagination.hasNextPage || given >= maximumItems) return;
  }
}

function idOf(item: unknown): unknown {
  return typeof item === "object" && item !== null && "id" in item ? item.id : undefined;
}
