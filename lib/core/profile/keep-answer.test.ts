import { describe, expect, it } from "vitest";
import { z } from "zod";
import { AnswerCache } from "@/lib/core/profile/keep-answer";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";

const database = useTestDatabase();

const MINUTE_MS = 60_000;
const START_MS = Date.parse("2026-01-15T12:00:00Z");
const schema = z.object({ minute: z.number(), sum: z.number() });

/** Caches of two processes on one database, whose answers take as long as the test says. */
async function arrange({ staleMs = 0, isBig = true } = {}) {
  const { services } = createTestServices(database);
  const { organizationId } = await createTestOrganization(database, services);
  const state = { ms: 0, made: 0 };
  const caches = [new AnswerCache(() => state.ms), new AnswerCache(() => state.ms)] as const;
  const get = (process: 0 | 1, minute: number, takesMs = 1_500, name = "sum") =>
    caches[process].get(
      services,
      {
        organizationId,
        now: new Date(START_MS + minute * MINUTE_MS),
        name,
        schema,
        staleMs,
        keptIfSlowerMs: 1_000,
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

describe("a cached answer", () => {
  it("is one that was slow, for ten minutes, the same to the cent in every process", async () => {
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

  it("never comes from the future: a sandbox whose clock is behind gets its own", async () => {
    const { get } = await arrange();
    await get(0, 60);
    expect(await get(0, 3)).toMatchObject({ minute: 3 });
  });

  it("is never one that was fast, or small and slow by chance", async () => {
    const quick = await arrange();
    await quick.get(0, 0, 100);
    await quick.get(0, 0, 100);
    expect(quick.state.made).toBe(2);
    const small = await arrange({ isBig: false });
    await small.get(0, 0);
    await small.get(0, 0);
    expect(small.state.made).toBe(2);
  });

  it("is deleted once computing it is fast", async () => {
    const { get, organizationId } = await arrange();
    await get(0, 0);
    await get(0, 10, 100);
    const { rows } = await database.ownerPool.query("select from kept_answers where organization_id = $1", [
      organizationId,
    ]);
    expect(rows).toEqual([]);
  });

  it("is computed once for concurrent readers, and a failure is not cached", async () => {
    const { state, get } = await arrange();
    const [one, other] = await Promise.all([get(0, 0), get(0, 0)]);
    expect(one).toEqual(other);
    expect(state.made).toBe(1);
    await expect(get(0, 20, Number.POSITIVE_INFINITY)).rejects.toThrow("took too long");
    state.ms = 0;
    await get(0, 20);
    expect(state.made).toBe(3);
  });

  it("is the first one for both when two processes compute it at once", async () => {
    const { get } = await arrange();
    const [one, other] = await Promise.all([get(0, 0), get(1, 1)]);
    expect(other).toEqual(one);
  });

  it("is served while it is young enough, and its reader is recorded", async () => {
    const { state, get } = await arrange({ staleMs: 60 * MINUTE_MS });
    await get(0, 0);
    expect(await get(0, 59)).toMatchObject({ minute: 0 });
    expect(await get(0, 60)).toMatchObject({ minute: 60 });
    expect(state.made).toBe(2);
  });

  it("is never shared between organizations", async () => {
    const [one, other] = [await arrange(), await arrange()];
    await one.get(0, 0);
    expect(await other.get(0, 1)).toMatchObject({ minute: 1 });
  });
});
