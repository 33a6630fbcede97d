import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { AnswerKeeper } from "@/lib/core/profile/keep-answer";
import { createTestDatabase, type TestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const MINUTE_MS = 60_000;
const START_MS = Date.parse("2026-01-15T12:00:00Z");
const schema = z.object({ minute: z.number(), sum: z.number() });

/** Keepers of two processes on one database, whose answers take as long as told. */
async function arrange({ staleMs = 0, isBig = true } = {}) {
  const { services } = createTestServices(database);
  const { organizationId } = await createTestOrganization(database, services);
  const state = { ms: 0, made: 0 };
  const keepers = [new AnswerKeeper(() => state.ms), new AnswerKeeper(() => state.ms)] as const;
  const get = (process: 0 | 1, minute: number, takesMs = 1_500, name = "sum") =>
    keepers[process].get(
      services,
      {
        organizationId,
        now: new Date(START_MS + minute * MINUTE_MS),
        name,
        schema,
        staleMs,
        isBig: () => isBig,
      },
      async () => {
        state.made += 1;
        await Promise.resolve();
        state.ms += takesMs;
        if (takesMs === Number.POSITIVE_INFINITY) throw new Error("took too long");
        return { minute, sum: 9_007_199_254_740_991 };
      },
    );
  return { state, get, organizationId };
}

describe("an answer that is kept", () => {
  it("is one that took long, for ten minutes and no longer, the same to the cent in every process", async () => {
    const { state, get } = await arrange();
    const first = await get(0, 0);
    expect(await get(1, 0)).toEqual(first);
    expect(await get(1, 9.9)).toEqual({ minute: 0, sum: 9_007_199_254_740_991 });
    expect(state.made).toBe(1);
    expect(await get(1, 10)).toMatchObject({ minute: 10 });
    expect(await get(0, 11)).toMatchObject({ minute: 10 });
    await get(0, 11, 1_500, "another question");
    expect(state.made).toBe(3);
  });

  it("is never one of a moment to come: a sandbox whose clock was behind gets its own", async () => {
    const { get } = await arrange();
    await get(0, 60);
    expect(await get(0, 3)).toMatchObject({ minute: 3 });
  });

  it("is never one that is quickly made, or of little that was only slow", async () => {
    const quick = await arrange();
    await quick.get(0, 0, 100);
    await quick.get(0, 0, 100);
    expect(quick.state.made).toBe(2);
    const small = await arrange({ isBig: false });
    await small.get(0, 0);
    await small.get(0, 0);
    expect(small.state.made).toBe(2);
  });

  it("goes once it is quickly made", async () => {
    const { get, organizationId } = await arrange();
    await get(0, 0);
    await get(0, 10, 100);
    const { rows } = await database.ownerPool.query("select from kept_answers where organization_id = $1", [
      organizationId,
    ]);
    expect(rows).toEqual([]);
  });

  it("is worked out once for all who look at the same time, and one that failed is not kept", async () => {
    const { state, get } = await arrange();
    const [one, other] = await Promise.all([get(0, 0), get(0, 0)]);
    expect(one).toEqual(other);
    expect(state.made).toBe(1);
    await expect(get(0, 20, Number.POSITIVE_INFINITY)).rejects.toThrow("took too long");
    state.ms = 0;
    await get(0, 20);
    expect(state.made).toBe(3);
  });

  it("of two processes that worked it out at once is the first one, for both", async () => {
    const { get } = await arrange();
    const [one, other] = await Promise.all([get(0, 0), get(1, 1)]);
    expect(other).toEqual(one);
  });

  it("is shown for as long as it may be old, and noted as looked at", async () => {
    const { state, get } = await arrange({ staleMs: 60 * MINUTE_MS });
    await get(0, 0);
    expect(await get(0, 59)).toMatchObject({ minute: 0 });
    expect(await get(0, 60)).toMatchObject({ minute: 60 });
    expect(state.made).toBe(2);
  });

  it("is another organization's never", async () => {
    const [one, other] = [await arrange(), await arrange()];
    await one.get(0, 0);
    expect(await other.get(0, 1)).toMatchObject({ minute: 1 });
  });
});
