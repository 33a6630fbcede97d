import pg from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { openWorkers, type Workers } from "@/lib/db/workers";
import { createLog } from "@/lib/platform/log";
import type { WorkKind } from "@/lib/platform/work";
import { useTestDatabase } from "@/lib/testing/database";
import { waitUntil } from "@/lib/testing/wait-until";

/**
 * Two processes, one that does the work and one that only makes it due. Promise: work made due elsewhere is picked up
 * at once, with few signals, even after a connection was lost; and no signal can break a worker.
 */
const log = createLog("silent");
/** Longer than any test: what happens sooner was woken. */
const NEVER_MS = 600_000;

const database = useTestDatabase();

const isConnected = async (name: string) => {
  const { rowCount } = await database.ownerPool.query(
    "select from pg_stat_activity where datname = current_database() and application_name = $1 and state = 'idle'",
    [name],
  );
  return rowCount === 1;
};

/** What a restart of PostgreSQL or of a proxy does. */
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

/** A process with workers and one without, both connected; `runs` counts how often each kind was polled. */
async function arrange() {
  const runs = { book: 0, notify: 0 };
  const kind = (name: keyof typeof runs): WorkKind => ({
    name,
    batchSize: 10,
    pollIntervalMs: NEVER_MS,
    runBatch: async () => {
      runs[name] += 1;
      return 0;
    },
  });
  open(true, [kind("book"), kind("notify")]);
  const elsewhere = open(false);
  await waitUntil("both are connected", async () => {
    return (await isConnected("sluice-worker")) && (await isConnected("sluice-signals"));
  });
  // Once at the start, and once for the new connection.
  await waitUntil("it has looked for all of it", () => runs.book === 2 && runs.notify === 2);
  return { runs, elsewhere };
}

describe("work that another process made due", () => {
  it("is picked up at once, and no other kind with it", async () => {
    const { runs, elsewhere } = await arrange();
    elsewhere.wake("book");
    await waitUntil("it was woken", () => runs.book === 3);
    expect(runs.notify).toBe(2);
  });

  it("is signaled once for a thousand concurrent requests, with every kind", async () => {
    const { elsewhere } = await arrange();
    const heard: string[] = [];
    const listener = new pg.Client(database.ownerConnection);
    onTestFinished(() => listener.end());
    await listener.connect();
    listener.on("notification", ({ payload }) => heard.push(payload ?? ""));
    await listener.query("listen sluice_work");
    for (let request = 0; request < 1_000; request++) {
      elsewhere.wake("book");
      elsewhere.wake("notify");
    }
    await waitUntil("it is signalled", () => heard.length > 0);
    elsewhere.wake("notify");
    await waitUntil("what came after it is, too", () => heard.length > 1);
    expect(heard).toEqual(["book,notify", "notify"]);
  });

  it.each(["sluice-worker", "sluice-signals"])(
    "is picked up again after the connection of %s was cut off",
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

  it("while no worker listened is picked up once one listens again, even if its signal was lost", async () => {
    const { runs } = await arrange();
    await cutOff("sluice-worker");
    await waitUntil("it has looked for all of it", () => runs.book === 3 && runs.notify === 3);
  });

  it("of unknown kinds, or with malformed signals, breaks nothing", async () => {
    const { runs, elsewhere } = await arrange();
    for (const payload of ["", ",,", "unheard-of", "constructor", "x".repeat(7_000)]) {
      await database.ownerPool.query("select pg_notify('sluice_work', $1)", [payload]);
    }
    elsewhere.wake("book");
    await waitUntil("it was woken", () => runs.book === 3);
    expect(runs.notify).toBe(2);
  });
});

it("a process with workers wakes only itself", async () => {
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
  await waitUntil("all signals are received", () => heard.includes("the last"));
  expect(heard).toEqual(["the last"]);
});

it("a process without a database still ends", async () => {
  const nowhere = { host: "127.0.0.1", port: 1, user: "nobody", database: "none" };
  const workers = openWorkers([], { isWorker: false, connection: nowhere, log });
  workers.wake("book");
  await workers.stop();
  await workers.close();
});
