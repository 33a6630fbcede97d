import { describe, expect, it } from "vitest";
import { createLog } from "@/lib/platform/log";
import { startWork, type WorkKind } from "@/lib/platform/work";
import { waitUntil } from "@/lib/testing/wait-until";

const log = createLog("silent");
/** Longer than any test: what happens sooner was woken. */
const NEVER_MS = 600_000;
const kind = (fields: Partial<WorkKind> & Pick<WorkKind, "runBatch">): WorkKind => ({
  name: "book",
  batchSize: 10,
  pollIntervalMs: NEVER_MS,
  ...fields,
});

/** A promise that the test resolves. */
function gate() {
  let open = () => {};
  const promise = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { promise, resolve: () => open() };
}

describe("due work", () => {
  it("runs at the start, when woken, and again at once while batches are full", async () => {
    const due = [10, 10, 3, 0, 1];
    const done: number[] = [];
    const runBatch = async () => {
      const count = due.shift() ?? 0;
      done.push(count);
      return count;
    };
    const worker = startWork([kind({ runBatch })], log);
    await waitUntil("the work has run", () => done.length >= 3);
    expect(done).toEqual([10, 10, 3]);
    worker.wake("book");
    await waitUntil("the work has run", () => done.length === 4);
    worker.wake("book");
    await waitUntil("the work has run", () => done.length === 5);
    await worker.stop();
  });

  it("that is woken while it runs runs once more, so nothing that became due in between waits for the poll", async () => {
    const first = gate();
    let runs = 0;
    const worker = startWork(
      [
        kind({
          runBatch: async () => {
            runs += 1;
            if (runs === 1) await first.promise;
            return 0;
          },
        }),
      ],
      log,
    );
    await waitUntil("the work has run", () => runs === 1);
    worker.wake("book");
    first.resolve();
    await waitUntil("the work has run", () => runs === 2);
    await worker.stop();
  });

  it("with a minimum interval answers many wakes with one batch, and loses none", async () => {
    let due = 0;
    let done = 0;
    let runs = 0;
    const runBatch = async () => {
      runs += 1;
      const count = due;
      done += count;
      due = 0;
      return count;
    };
    const worker = startWork([kind({ runBatch, batchSize: 1_000, restMs: 50 })], log);
    await waitUntil("it has looked once", () => runs === 1);
    for (let woken = 0; woken < 100; woken++) {
      due += 1;
      worker.wake("book");
      await Promise.resolve();
    }
    await waitUntil("all of it is done", () => done === 100);
    expect(runs).toBe(2);
    await worker.stop();
  });

  it("that makes other work due wakes it, unless it did nothing", async () => {
    const counts = [0, 3];
    let looked = 0;
    const worker = startWork(
      [
        kind({ runBatch: async () => counts.shift() ?? 0, followedBy: ["tell"] }),
        kind({
          name: "tell",
          runBatch: async () => {
            looked += 1;
            return 0;
          },
        }),
      ],
      log,
    );
    await waitUntil("both have looked", () => looked === 1 && counts.length === 1);
    worker.wake("book");
    await waitUntil("the other was woken", () => looked === 2);
    await worker.stop();
    expect(looked).toBe(2);
  });

  it("that continues beside its batches is awaited before the end", async () => {
    const sending = gate();
    let isRecorded = false;
    const worker = startWork(
      [
        kind({
          runBatch: async () => 0,
          drain: async () => {
            await sending.promise;
            isRecorded = true;
          },
        }),
      ],
      log,
    );
    const stopped = worker.stop();
    expect(isRecorded).toBe(false);
    sending.resolve();
    await stopped;
    expect(isRecorded).toBe(true);
  });

  it("that fails is retried later, does not stop other kinds, and is not hurried by wakes", async () => {
    let failures = 0;
    let others = 0;
    const worker = startWork(
      [
        kind({
          name: "broken",
          runBatch: async () => {
            failures += 1;
            throw new Error("no database");
          },
        }),
        kind({
          name: "fine",
          runBatch: async () => {
            others += 1;
            return 0;
          },
        }),
      ],
      log,
    );
    await waitUntil("the work has run", () => failures === 1 && others === 1);
    for (let wake = 0; wake < 50; wake++) worker.wake("broken");
    worker.wake("fine");
    await waitUntil("the work has run", () => others === 2);
    expect(failures).toBe(1);
    await waitUntil("the work has run", () => failures === 2);
    await worker.stop();
  });

  it("in progress finishes before a stop resolves", async () => {
    let isFinished = false;
    const started = gate();
    const mayFinish = gate();
    const runBatch = async () => {
      started.resolve();
      await mayFinish.promise;
      isFinished = true;
      return 0;
    };
    const worker = startWork([kind({ runBatch })], log);
    await started.promise;
    const stopped = worker.stop().then(() => isFinished);
    mayFinish.resolve();
    expect(await stopped).toBe(true);
  });

  it("of an unknown name throws", async () => {
    const worker = startWork([], log);
    expect(() => worker.wake("nothing")).toThrow("nothing");
    await worker.stop();
  });
});
