import pg from "pg";
import { expect, test, vi } from "vitest";
import { createPool } from "@/lib/db/pool";
import { useTestDatabase } from "@/lib/testing/database";
import { inOpenTransaction } from "@/lib/testing/overlap";
import { waitUntil } from "@/lib/testing/wait-until";

const database = useTestDatabase();

async function readValue(sql: string): Promise<unknown> {
  const { rows } = await database.pool.query<{ value: unknown }>(`select ${sql} as value`);
  return rows[0]?.value;
}

test("a bigint arrives as a number up to the largest that JavaScript holds exactly", async () => {
  expect(await readValue("9007199254740991::bigint")).toBe(Number.MAX_SAFE_INTEGER);
  expect(await readValue("-9007199254740991::bigint")).toBe(Number.MIN_SAFE_INTEGER);
  expect(await readValue("array[1, null, -3]::bigint[]")).toEqual([1, null, -3]);
  expect(await readValue("'{}'::bigint[]")).toEqual([]);
});

test.each([
  ["'infinity'", "+275760-09-13T00:00:00.000Z"],
  ["'-infinity'", "-271821-04-20T00:00:00.000Z"],
  ["'290000-01-01 00:00:00+00'", "+275760-09-13T00:00:00.000Z"],
  ["'10000-01-01 00:00:00+00'", "+010000-01-01T00:00:00.000Z"],
  ["'4700-01-01 00:00:00+00 BC'", "-004699-01-01T00:00:00.000Z"],
  ["'2026-11-20 08:00:00.123+00'", "2026-11-20T08:00:00.123Z"],
])("the moment %s arrives as a date that can be written", async (moment, written) => {
  expect(Object(await readValue(`${moment}::timestamptz`)).toISOString()).toBe(written);
});

test.each(["9007199254740992::bigint", "-9007199254740992::bigint", "array[1, 9007199254740992]::bigint[]"])(
  "a bigint that JavaScript would round is an error: %s",
  async (sql) => {
    await expect(readValue(sql)).rejects.toThrow(RangeError);
    expect(await readValue("1")).toBe(1);
  },
);

test("a timestamptz arrives as the moment, a date as the day, a numeric as text", async () => {
  expect(await readValue("'2026-03-08 12:00:00.123+02'::timestamptz")).toEqual(
    new Date("2026-03-08T10:00:00.123Z"),
  );
  expect(await readValue("'2026-03-08'::date")).toBe("2026-03-08");
  expect(await readValue("array['2026-03-08']::date[]")).toEqual(["2026-03-08"]);
  expect(await readValue("(select sum(n) from (values (1::bigint)) v (n))")).toBe("1");
});

test("nothing waits forever: statements, locks, idle transactions and connections are bounded", async () => {
  const { rows } = await database.pool.query(
    `select name, setting::integer as ms from pg_settings
      where name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout') order by name`,
  );
  expect(rows).toEqual([
    { name: "idle_in_transaction_session_timeout", ms: 15_000 },
    { name: "lock_timeout", ms: 5_000 },
    { name: "statement_timeout", ms: 15_000 },
  ]);
  expect(database.pool.options.connectionTimeoutMillis).toBe(10_000);
  expect(await readValue("current_setting('application_name')")).toBe("sluice");
});

test("a statement that deadlocks with a transaction is retried: a migration fails no request", async () => {
  await database.ownerPool.query("create table counters (id integer primary key, value integer not null)");
  await database.ownerPool.query("insert into counters values (1, 0), (2, 0)");
  // A sequence also counts attempts that roll back. With no lock timeout, only a deadlock can end one.
  await database.ownerPool.query("create sequence attempts");
  await database.ownerPool.query(
    `create function count_both() returns void language plpgsql set lock_timeout = 0 as
      $$ begin
        perform nextval('attempts');
        update counters set value = value + 1 where id = 2; update counters set value = value + 1 where id = 1;
      end $$`,
  );
  // PostgreSQL cancels whichever has waited for a second when it sees the circle: on a busy machine not always ours.
  let counts = 0;
  while (!(await deadlockWith("select count_both()"))) {
    counts += 1;
    expect(counts).toBeLessThan(10);
  }
  const { rows } = await database.ownerPool.query("select value from counters order by id");
  expect(rows).toEqual([{ value: counts + 2 }, { value: counts + 2 }]);
  // More if the retry takes the lock before the other gets it, and is canceled again.
  expect(await readAttempts()).toBeGreaterThanOrEqual(counts + 2);
});

async function readAttempts(): Promise<number> {
  const { rows } = await database.ownerPool.query("select last_value as count from attempts");
  return Number(rows[0]?.count);
}

/** @returns whether the statement was the one that was canceled; it succeeds in any case */
async function deadlockWith(statement: string): Promise<boolean> {
  return inOpenTransaction(database.ownerPool, async (other) => {
    await other.query("update counters set value = value + 1 where id = 1");
    const counted = database.ownerPool.query(statement);
    await waitUntil("it waits", async () => (await countWaiting()) === 1);
    const ended = await other.query("update counters set value = value + 1 where id = 2").then(
      () => "commit",
      (error) => {
        expect(error).toMatchObject({ code: "40P01" });
        return "rollback";
      },
    );
    await other.query(ended);
    await counted;
    return ended === "commit";
  });
}

async function countWaiting(): Promise<number> {
  const { rowCount } = await database.ownerPool.query(
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return rowCount ?? 0;
}

test("a connection that the server closes while it is idle is replaced", async () => {
  const pid = await readValue("pg_backend_pid()");
  const removed = new Promise<void>((resolve) => {
    database.pool.once("remove", () => resolve());
  });
  const other = await database.pool.connect();
  const idle = await database.pool.connect();
  const { rows } = await idle.query("select pg_backend_pid() as pid");
  idle.release();
  await other.query("select pg_terminate_backend($1)", [rows[0]?.pid]);
  await removed;
  other.release();
  expect(await readValue("pg_backend_pid()")).toBe(pid);
});

test("a connection that the server closes while it is in use, between two queries, does not end the process", async () => {
  const [used, other] = await Promise.all([database.pool.connect(), database.pool.connect()]);
  const { rows } = await used.query("select pg_backend_pid() as pid");
  const ended = new Promise<void>((resolve) => {
    used.once("end", () => resolve());
  });
  await other.query("select pg_terminate_backend($1)", [rows[0]?.pid]);
  await ended;
  used.release(true);
  other.release();
  expect(await readValue("1")).toBe(1);
});

test("a lost connection is logged, but not after its pool has ended", async () => {
  const warnings: string[] = [];
  const pool = createPool(
    {},
    { log: { warn: (...line: unknown[]) => void warnings.push(String(line.at(-1))) } },
  );
  pool.emit("error", new Error("lost"), new pg.Client());
  expect(warnings).toEqual(["A database connection was lost."]);
  await pool.end();
  pool.emit("error", new Error("lost"), new pg.Client());
  expect(warnings).toHaveLength(1);
});

test("with the memory of a small machine, connections are fewer and end sooner", () => {
  const memory = vi.spyOn(process, "constrainedMemory");
  const boundsWith = (bytes: number) => {
    memory.mockReturnValue(bytes);
    const { max, maxLifetimeSeconds } = createPool({}).options;
    return { max, maxLifetimeSeconds };
  };
  try {
    expect(boundsWith(1e9)).toEqual({ max: 6, maxLifetimeSeconds: 90 });
    // How Node reports that there is no limit.
    expect(boundsWith(0)).toEqual({ max: 10, maxLifetimeSeconds: 180 });
    expect(boundsWith(2 ** 64)).toEqual({ max: 10, maxLifetimeSeconds: 180 });
  } finally {
    memory.mockRestore();
  }
});
