import type { Pool } from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { joinTransaction } from "@/lib/db/join-transaction";
import { inTransaction } from "@/lib/db/transaction";
import { createTestDatabase, type TestDatabase } from "@/lib/testing/database";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  await database.pool.query("delete from throttles");
});
afterAll(() => database.close());

/** A verb that writes a row in a transaction of its own, and may then fail. */
async function write(pool: Pool, subject: string, fault?: Error): Promise<void> {
  await inTransaction(pool, async (client) => {
    await client.query("insert into throttles values ($1, now(), 1)", [subject]);
    if (fault) throw fault;
  });
}

async function written(): Promise<string[]> {
  const { rows } = await database.pool.query<{ subject: string }>("select subject from throttles order by 1");
  return rows.map(({ subject }) => subject);
}

describe("verbs that join an open transaction", () => {
  it("are seen by nobody before it commits, and by everybody after", async () => {
    await inTransaction(database.pool, async (client) => {
      const joined = joinTransaction(database.pool, client);
      await write(joined, "first");
      await joined.query("insert into throttles values ('second', now(), 1)");
      expect(await written()).toEqual([]);
    });
    expect(await written()).toEqual(["first", "second"]);
  });

  it("are undone with it, also after they have committed", async () => {
    const failed = inTransaction(database.pool, async (client) => {
      await write(joinTransaction(database.pool, client), "first");
      throw new Error("the whole fails");
    });
    await expect(failed).rejects.toThrow("the whole fails");
    expect(await written()).toEqual([]);
  });

  it("undo only their own part when they fail, and leave the transaction usable", async () => {
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
