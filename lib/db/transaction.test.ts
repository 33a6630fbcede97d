import type pg from "pg";
import { beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import { useTestDatabase } from "@/lib/testing/database";
import { inTransaction, joinTransaction } from "./transaction";

const database = useTestDatabase();
let pool: pg.Pool;

beforeAll(async () => {
  pool = database.ownerPool;
  await pool.query("create table counters (id integer primary key, value bigint not null)");
});
beforeEach(async () => {
  await pool.query("truncate counters");
  await pool.query("insert into counters values (1, 0), (2, 0)");
});

async function readCounters(): Promise<number[]> {
  const { rows } = await pool.query<{ value: number }>("select value from counters order by id");
  return rows.map(({ value }) => value);
}

test("what returns is committed, in READ COMMITTED", async () => {
  const isolation = await inTransaction(pool, async (client) => {
    await client.query("update counters set value = 1");
    return (await client.query("show transaction_isolation")).rows[0];
  });
  expect(isolation).toEqual({ transaction_isolation: "read committed" });
  expect(await readCounters()).toEqual([1, 1]);
});

test("what throws is rolled back, the error is passed on, and the connection is reused", async () => {
  const failure = new Error("refused");
  const attempt = inTransaction(pool, async (client) => {
    await client.query("update counters set value = 1");
    throw failure;
  });
  await expect(attempt).rejects.toBe(failure);
  expect(await readCounters()).toEqual([0, 0]);
  expect(pool.idleCount).toBe(pool.totalCount);
});

test("an error that was swallowed inside cannot end as a commit that never happened", async () => {
  const attempt = inTransaction(pool, async (client) => {
    await client.query("update counters set value = 1");
    await client.query("select 1 / 0").catch(() => "swallowed");
    return "done";
  });
  await expect(attempt).rejects.toThrow("swallowed");
  expect(await readCounters()).toEqual([0, 0]);
});

test("two deadlocked transactions both succeed: the victim is retried", async () => {
  let attempts = 0;
  const bothHoldOne = createBarrier(2);
  const oneIsDone = createBarrier(1);
  const addInOrder = async (ids: [number, number]) => {
    await inTransaction(pool, async (client) => {
      attempts++;
      // The victim's rollback frees a row before the other one, which waits for it, wakes: an early restart takes it again.
      if (attempts > 2) await oneIsDone.reached;
      await client.query("update counters set value = value + 1 where id = $1", [ids[0]]);
      if (attempts <= 2) await bothHoldOne.arrive();
      await client.query("update counters set value = value + 1 where id = $1", [ids[1]]);
    });
    await oneIsDone.arrive();
  };
  await Promise.all([addInOrder([1, 2]), addInOrder([2, 1])]);
  expect(attempts).toBe(3);
  expect(await readCounters()).toEqual([2, 2]);
});

test.each(["40001", "40P01"])("a persistent conflict (%s) fails after three attempts", async (code) => {
  let attempts = 0;
  const attempt = inTransaction(pool, async (client) => {
    attempts++;
    await client.query(`do $$ begin raise exception 'conflict' using errcode = '${code}'; end $$`);
  });
  await expect(attempt).rejects.toMatchObject({ code });
  expect(attempts).toBe(3);
});

test("no other error is retried", async () => {
  let attempts = 0;
  const attempt = inTransaction(pool, async (client) => {
    attempts++;
    await client.query("insert into counters values (1, 0)");
  });
  await expect(attempt).rejects.toMatchObject({ code: "23505" });
  expect(attempts).toBe(1);
});

test("a connection that breaks inside is closed, not reused", async () => {
  const attempt = inTransaction(pool, async (client) => {
    await client.query("update counters set value = 1");
    await client.query("select pg_terminate_backend(pg_backend_pid())");
  });
  await expect(attempt).rejects.toThrow();
  expect(await readCounters()).toEqual([0, 0]);
});

function createBarrier(parties: number) {
  let arrived = 0;
  let open: () => void = () => {};
  const reached = new Promise<void>((resolve) => {
    open = resolve;
  });
  const arrive = () => {
    if (++arrived === parties) open();
    return reached;
  };
  return { reached, arrive };
}

/** A command that writes a row in its own transaction, and may then fail. */
async function write(pool: pg.Pool, subject: string, fault?: Error): Promise<void> {
  await inTransaction(pool, async (client) => {
    await client.query("insert into throttles values ($1, now(), 1)", [subject]);
    if (fault) throw fault;
  });
}

async function written(): Promise<string[]> {
  const { rows } = await database.pool.query<{ subject: string }>("select subject from throttles order by 1");
  return rows.map(({ subject }) => subject);
}

describe("commands that join an open transaction", () => {
  beforeEach(async () => {
    await database.pool.query("delete from throttles");
  });

  it("are invisible before it commits and visible after", async () => {
    await inTransaction(database.pool, async (client) => {
      const joined = joinTransaction(database.pool, client);
      await write(joined, "first");
      await joined.query("insert into throttles values ('second', now(), 1)");
      expect(await written()).toEqual([]);
    });
    expect(await written()).toEqual(["first", "second"]);
  });

  it("are rolled back with it, even after they committed", async () => {
    const failed = inTransaction(database.pool, async (client) => {
      await write(joinTransaction(database.pool, client), "first");
      throw new Error("the whole fails");
    });
    await expect(failed).rejects.toThrow("the whole fails");
    expect(await written()).toEqual([]);
  });

  it("roll back only their own part when they fail, and leave the transaction usable", async () => {
    await inTransaction(database.pool, async (client) => {
      const joined = joinTransaction(database.pool, client);
      await write(joined, "before");
      await expect(write(joined, "failing", new Error("a part fails"))).rejects.toThrow("a part fails");
      await expect(write(joined, "before")).rejects.toThrow("duplicate key");
      await write(joined, "after");
    });
    expect(await written()).toEqual(["after", "before"]);
  });
});
