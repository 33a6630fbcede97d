import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { openWorkers, type Workers } from "@/lib/db/workers";
import { createLog } from "@/lib/platform/log";
import type { WorkKind } from "@/lib/platform/work";
import { createTestDatabase, type TestDatabase } from "@/lib/testing/database";
import { waitUntil } from "@/lib/testing/wait-until";

/**
 * Two processes, one with the work and one that only makes it due. Goal: what is due elsewhere is looked for at once,
 * with few signals, also after a connection was lost; and no signal can break a worker.
 */
const log = createLog("silent");
/** Longer than any test: what happens sooner was woken. */
const NEVER_MS = 600_000;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.close());

const isConnected = async (name: string) => {
  const { rowCount } = await database.ownerPool.query(
    "select from pg_stat_activity where datname = current_database() and application_name = $1 and state = 'idle'",
    [name],
  );
  return rowCount === 1;
};

/** As a restart of PostgreSQL or of a proxy does. */
const cutOff = (name: string) =>
  database.ownerPool.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = $1",
    [name],
  );

function open(isWorker: boolean, kinds: readonly WorkKind[] = []): Workers {
  const workers = openWorkers(kinds, { isWorker, connection: database.ownerConnection, log });
  onTestFinished(async () => {
    await workers.stop();
    await workers.close();
  });
  return workers;
}

/** A process that works and one that does not, both connected; `runs` counts how often each kind was looked for. */
async function arrange() {
  const runs = { book: 0, tell: 0 };
  const kind = (name: keyof typeof runs): WorkKind => ({
    name,
    batchSize: 10,
    pollIntervalMs: NEVER_MS,
    runBatch: async () => {
      runs[name] += 1;
      return 0;
    },
  });
  open(true, [kind("book"), kind("tell")]);
  const elsewhere = open(false);
  await waitUntil("both are connected", async () => {
    return (await isConnected("sluice-worker")) && (await isConnected("sluice-signals"));
  });
  // Once at the start, and once because of the new connection.
  await waitUntil("it has looked for all of it", () => runs.book === 2 && runs.tell === 2);
  return { runs, elsewhere };
}

describe("work that another process made due", () => {
  it("is looked for at once, and no other kind with it", async () => {
    const { runs, elsewhere } = await arrange();
    elsewhere.wake("book");
    await waitUntil("it was woken", () => runs.book === 3);
    expect(runs.tell).toBe(2);
  });

  it("by a thousand requests at once is signalled once, with every kind in it", async () => {
    const { elsewhere } = await arrange();
    const heard: string[] = [];
    const listener = new pg.Client(database.ownerConnection);
    onTestFinished(() => listener.end());
    await listener.connect();
    listener.on("notification", ({ payload }) => heard.push(payload ?? ""));
    await listener.query("listen sluice_work");
    for (let request = 0; request < 1_000; request++) {
      elsewhere.wake("book");
      elsewhere.wake("tell");
    }
    await waitUntil("it is signalled", () => heard.length > 0);
    elsewhere.wake("tell");
    await waitUntil("what came after it is, too", () => heard.length > 1);
    expect(heard).toEqual(["book,tell", "tell"]);
  });

  it.each(["sluice-worker", "sluice-signals"])(
    "is looked for again after the connection of %s was cut off",
    async (name) => {
      const { runs, elsewhere } = await arrange();
      await cutOff(name);
      await waitUntil("it is gone", async () => !(await isConnected(name)));
      await waitUntil("it is back", () => isConnected(name));
      const before = runs.book;
      await waitUntil("signals arrive again", () => {
        elsewhere.wake("book");
        return runs.book > before + 1;
      });
    },
  );

  it("while nobody listened is looked for when somebody does again, also where its signal was lost", async () => {
    const { runs } = await arrange();
    await cutOff("sluice-worker");
    await waitUntil("it has looked for all of it", () => runs.book === 3 && runs.tell === 3);
  });

  it("of kinds that this version does not know, or in words that are none, breaks nothing", async () => {
    const { runs, elsewhere } = await arrange();
    for (const payload of ["", ",,", "unheard-of", "constructor", "x".repeat(7_000)]) {
      await database.ownerPool.query("select pg_notify('sluice_work', $1)", [payload]);
    }
    elsewhere.wake("book");
    await waitUntil("it was woken", () => runs.book === 3);
    expect(runs.tell).toBe(2);
  });
});

it("a process that works wakes itself and nobody else", async () => {
  const heard: string[] = [];
  const listener = new pg.Client(database.ownerConnection);
  onTestFinished(() => listener.end());
  await listener.connect();
  listener.on("notification", ({ payload }) => heard.push(payload ?? ""));
  await listener.query("listen sluice_work");
  let runs = 0;
  const runBatch = async () => {
    runs += 1;
    return 0;
  };
  const workers = open(true, [{ name: "book", batchSize: 1, pollIntervalMs: NEVER_MS, runBatch }]);
  await waitUntil("it is connected", () => runs === 2);
  workers.wake("book");
  await waitUntil("it was woken", () => runs === 3);
  await listener.query("select pg_notify('sluice_work', 'the last')");
  await waitUntil("all signals are heard", () => heard.includes("the last"));
  expect(heard).toEqual(["the last"]);
});

it("a process without a database ends all the same", async () => {
  const nowhere = { host: "127.0.0.1", port: 1, user: "nobody", database: "none" };
  const workers = openWorkers([], { isWorker: false, connection: nowhere, log });
  workers.wake("book");
  await workers.stop();
  await workers.close();
});
