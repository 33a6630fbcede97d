import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { groupStatements } from "@/lib/core/shared/group-statements";
import type { Queryable } from "@/lib/db/transaction";

beforeEach(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
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

it("a group without an answer ends after 30 seconds as unknown, and does not hold up the next ones", async () => {
  const { sent, ask, arrive } = arrange();
  const silent = [ask(1), ask(2)].map((asked) => asked.catch((error: unknown) => error));
  await arrive();
  const other = ask(3).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(25);
  await arrive();
  expect(sent).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(15_000);
  const waiting = ask(4);
  await vi.advanceTimersByTimeAsync(14_974);
  await arrive();
  expect(sent).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(1);
  await vi.advanceTimersByTimeAsync(25);
  for (const unknown of [await silent[0], await silent[1]])
    expect(unknown).toMatchObject({ name: "UnknownOutcome", message: expect.stringContaining("same key") });
  await arrive();
  expect(sent.map(({ items }) => items)).toEqual([[1, 2], [3], [4]]);
  sent[2]?.answer();
  expect(await waiting).toEqual([{ item: 4 }]);
  // An answer after the deadline changes nothing: the caller already knows that it is unknown.
  sent[0]?.answer();
  expect(await other).toMatchObject({ name: "UnknownOutcome" });
});

it("an item that waited 20 seconds for its group is refused without being sent", async () => {
  const { sent, ask, arrive } = arrange();
  const groups = [ask(1).catch(() => null)];
  await arrive();
  await vi.advanceTimersByTimeAsync(5_000);
  groups.push(ask(2).catch(() => null));
  await vi.advanceTimersByTimeAsync(25);
  const late = ask(3).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(10_000);
  const inTime = ask(4);
  await vi.advanceTimersByTimeAsync(15_000);
  await arrive();
  expect(await late).toMatchObject({ message: expect.stringContaining("was not sent") });
  expect(sent.map(({ items }) => items)).toEqual([[1], [2], [4]]);
  sent[2]?.answer();
  expect(await inTime).toEqual([{ item: 4 }]);
  await vi.advanceTimersByTimeAsync(30_000);
  await Promise.all(groups);
});

it("a deadline ends the repetition of a failed group item by item", async () => {
  const sent: string[] = [];
  const pool = {
    query: ({ values }: { values: [string] }) => {
      sent.push(values[0]);
      if (sent.length > 1) return new Promise(() => undefined);
      return Promise.reject(Object.assign(new Error("conflict"), { code: "23505" }));
    },
  } as unknown as Queryable;
  const write = groupStatements<number, object>({ name: "test_group", text: "", compare: () => 0 });
  const both = Promise.allSettled([write(pool, 1), write(pool, 2)]);
  for (let turn = 0; turn < 4; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  await vi.advanceTimersByTimeAsync(30_000);
  for (const one of await both)
    expect(one).toMatchObject({ status: "rejected", reason: { name: "UnknownOutcome" } });
  expect(sent).toEqual(["[1,2]", "[1]"]);
});
