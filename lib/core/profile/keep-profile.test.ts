import { describe, expect, it } from "vitest";
import { getFinancialProfile } from "@/lib/core/profile/get-financial-profile";
import { ProfileKeeper } from "@/lib/core/profile/keep-profile";
import { createTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";

const MINUTE_MS = 60_000;

/** A keeper whose profiles take as long as told, and how many were worked out. */
async function arrange() {
  const database = await createTestDatabase();
  const { services } = createTestServices(database);
  const { owner } = await createTestOrganization(database, services);
  const profile = await getFinancialProfile(services, owner, { from: null, to: null });
  await database.close();
  const state = { ms: 0, made: 0 };
  const keeper = new ProfileKeeper(() => state.ms);
  const get = (takesMs: number, minutes: number, key = "one") =>
    keeper.get(key, new Date(minutes * MINUTE_MS), async () => {
      state.made += 1;
      await Promise.resolve();
      state.ms += takesMs;
      if (takesMs === Number.POSITIVE_INFINITY) throw new Error("took too long");
      return { ...profile, generatedAt: new Date(minutes * MINUTE_MS).toISOString() };
    });
  return { state, get };
}

describe("a profile that is kept", () => {
  it("is one that took long, for ten minutes and no longer, and says when it was made", async () => {
    const { state, get } = await arrange();
    const first = await get(1_500, 0);
    expect(await get(1_500, 9.9)).toBe(first);
    expect(first.generatedAt).toBe("1970-01-01T00:00:00.000Z");
    expect((await get(1_500, 10)).generatedAt).toBe("1970-01-01T00:10:00.000Z");
    await get(1_500, 10, "another organization");
    // A sandbox was set back to an earlier moment.
    await get(1_500, 3);
    expect(state.made).toBe(4);
  });

  it("is never one that is quickly made: whoever looks sees what there is now", async () => {
    const { state, get } = await arrange();
    await get(100, 0);
    await get(100, 0);
    expect(state.made).toBe(2);
  });

  it("is worked out once for all who look at the same time, and one that failed is not kept", async () => {
    const { state, get } = await arrange();
    const [one, other] = await Promise.all([get(1_500, 0), get(1_500, 0)]);
    expect(one).toBe(other);
    expect(state.made).toBe(1);
    await expect(get(Number.POSITIVE_INFINITY, 20)).rejects.toThrow("took too long");
    state.ms = 0;
    await get(1_500, 20);
    expect(state.made).toBe(3);
  });
});
