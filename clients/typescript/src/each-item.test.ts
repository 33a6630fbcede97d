import { expect, it } from "vitest";
import { eachItem } from "./each-item.js";

/** A list of ids, newest first, that may grow between two pages. */
function listOf(pages: string[][]) {
  const asked: number[] = [];
  const readPage = async (page: number) => {
    asked.push(page);
    return {
      data: {
        items: (pages[page - 1] ?? []).map((id) => ({ id })),
        pagination: { page, hasNextPage: page < pages.length },
      },
      requestId: "r",
      status: 200,
      isReplayed: false,
    };
  };
  return { asked, readPage };
}

async function read(pages: string[][], maximumItems: number) {
  const { asked, readPage } = listOf(pages);
  const ids: string[] = [];
  for await (const { id } of eachItem(readPage, { maximumItems })) ids.push(id);
  return { ids, asked };
}

it("reads to the end, and no page more", async () => {
  expect(await read([["e", "d"], ["c", "b"], ["a"]], 100)).toEqual({
    ids: ["e", "d", "c", "b", "a"],
    asked: [1, 2, 3],
  });
});

it("ends where the caller said, without reading a page for nothing", async () => {
  expect(await read([["e", "d"], ["c", "b"], ["a"]], 2)).toEqual({ ids: ["e", "d"], asked: [1] });
  expect(await read([["e", "d"], ["c", "b"], ["a"]], 3)).toEqual({ ids: ["e", "d", "c"], asked: [1, 2] });
  expect(await read([["e"]], 0)).toEqual({ ids: [], asked: [] });
});

it("gives an item once that a new one pushed on to the next page", async () => {
  expect(
    (
      await read(
        [
          ["c", "b"],
          ["b", "a"],
        ],
        100,
      )
    ).ids,
  ).toEqual(["c", "b", "a"]);
});

it("ends also where a server never does", async () => {
  const endless = async (page: number) => ({
    data: { items: [{ id: "same" }], pagination: { page, hasNextPage: true } },
    requestId: "r",
    status: 200,
    isReplayed: false,
  });
  const items: unknown[] = [];
  for await (const item of eachItem(endless, { maximumItems: 50 })) items.push(item);
  expect(items).toHaveLength(1);
});
