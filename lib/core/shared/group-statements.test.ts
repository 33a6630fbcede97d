import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { groupStatements } from "@/lib/core/shared/group-statements";
import type { Queryable } from "@/lib/db/transaction";

beforeEach(() => vi.useFakeTimers({ toFake: ["setTimeout"] }));
afterEach(() => vi.useRealTimers());

interface Sent {
  items: number[];
  answer: () => void;
}

/** A database that answers when the test says so. */
function arrange(setting: { maximumGroup?: number } = {}) {
  const sent: Sent[] = [];
  const pool = {
    query: ({ values }: { values: [string] }) =>
      new Promise((resolve) => {
        const items: number[] = JSON.parse(values[0]);
        sent.push({ items, answer: () => resolve({ rows: items.map((item) => ({ item })) }) });
      }),
  } as unknown as Queryable;
  const write = groupStatements<number, { item: number }>({
    name: "test_group",
    text: "",
    compare: (left, right) => left - right,
    ...setting,
  });
  const ask = (...items: number[]) => Promise.all(items.map((item) => write(pool, item)));
  /** More turns of the event loop than a group gathers in. */
  const arrive = async () => {
    for (let turn = 0; turn < 4; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  return { sent, ask, arrive };
}

const range = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index);

it("what arrives at once is one group, and what arrives meanwhile is the next", async () => {
  const { sent, ask, arrive } = arrange();
  const first = ask(2, 1);
  await arrive();
  const second = ask(4, 3);
  await arrive();
  expect(sent.map(({ items }) => items)).toEqual([[1, 2]]);
  sent[0]?.answer();
  expect(await first).toEqual([{ item: 2 }, { item: 1 }]);
  await arrive();
  expect(sent.map(({ items }) => items)).toEqual([
    [1, 2],
    [3, 4],
  ]);
  sent[1]?.answer();
  expect(await second).toEqual([{ item: 4 }, { item: 3 }]);
});

it("a second group begins beside the first one once it is half full", async () => {
  const { sent, ask, arrive } = arrange();
  void ask(0);
  await arrive();
  void ask(...range(1, 15));
  await arrive();
  expect(sent).toHaveLength(1);
  void ask(16);
  expect(sent[1]?.items).toEqual(range(1, 16));
});

it("half a group leaves at once, and the rest of a burst goes beside it", async () => {
  const { sent, ask, arrive } = arrange();
  void ask(...range(0, 15));
  expect(sent).toHaveLength(0);
  void ask(...range(15, 17));
  expect(sent.map(({ items }) => items)).toEqual([range(0, 16), range(16, 16)]);
  void ask(...range(32, 40));
  sent[0]?.answer();
  await arrive();
  expect(sent[2]?.items).toEqual(range(32, 32));
});

it("a statement may set how many items its groups hold", async () => {
  const { sent, ask, arrive } = arrange({ maximumGroup: 128 });
  void ask(...range(0, 128));
  void ask(...range(128, 160));
  expect(sent.map(({ items }) => items.length)).toEqual([64, 64]);
  sent[0]?.answer();
  await arrive();
  expect(sent[2]?.items).toEqual(range(128, 128));
});

it("a group that waits for a lock holds up no one else for longer than 25 ms", async () => {
  const { sent, ask, arrive } = arrange();
  void ask(1);
  await arrive();
  void ask(2);
  await vi.advanceTimersByTimeAsync(24);
  await arrive();
  expect(sent).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  await arrive();
  expect(sent[1]?.items).toEqual([2]);
});

it("never runs more than two groups at a time, of at most 32 items", async () => {
  const { sent, ask, arrive } = arrange();
  void ask(...range(0, 100));
  await arrive();
  void ask(...range(100, 100));
  await vi.advanceTimersByTimeAsync(1_000);
  await arrive();
  expect(sent.map(({ items }) => items.length)).toEqual([16, 16]);
  sent[1]?.answer();
  await arrive();
  expect(sent.map(({ items }) => items.length)).toEqual([16, 16, 32]);
});
