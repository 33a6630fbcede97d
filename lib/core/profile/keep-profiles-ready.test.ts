import { describe, expect, it } from "vitest";
import { getFinancialProfile } from "@/lib/core/profile/get-financial-profile";
import { AnswerCache } from "@/lib/core/profile/keep-answer";
import { createProfileUpkeep } from "@/lib/core/profile/keep-profiles-ready";
import { pageProfileSchema } from "@/lib/core/profile/shape-profile";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";
import { readProfilePage } from "@/lib/views/read-profile-page";

const database = useTestDatabase();

const HOUR_MS = 3_600_000;
const TIME = { nowAt: "2026-01-15T17:00:00.000Z", timeZone: "America/New_York", locale: "en-US" };

/** An organization with this many outside transactions in the last 85 days. */
async function arrange(transactions: number) {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const { organizationId, owner } = organization;
  const accountId = await organization.addAccount({
    name: "Checking",
    type: "EXTERNAL_ACCOUNT",
    externalAccountType: "DEPOSITORY",
  });
  await database.ownerPool.query(
    `insert into external_transactions (organization_id, id, account_id, provider_transaction_id, amount_in_cents,
        direction, status, description, transaction_date, merchant_name, category, created_at, updated_at)
     select $1, gen_random_uuid(), $2, 'p' || n, 100 + (n::bigint * 7919) % 20011,
         case when n % 12 = 0 then 'MONEY_IN' else 'MONEY_OUT' end, 'COMPLETE', 'POS PURCHASE ' || n,
         $3::timestamptz - (n % 85) * interval '1 day', 'Merchant ' || n % 300,
         (array['SHOPPING', 'TRANSPORTATION', null])[1 + n % 3], $3, $3
       from generate_series(1, $4::int) n`,
    [organizationId, accountId, clock.now(), transactions],
  );
  await database.ownerPool.query("analyze external_transactions");
  const kept = async () => {
    const { rows } = await database.ownerPool.query<{ name: string; answer: unknown; madeAt: Date }>(
      `select name, answer, made_at as "madeAt" from kept_answers where organization_id = $1 order by name`,
      [organizationId],
    );
    return rows;
  };
  return { services, clock, owner, organizationId, kept };
}

describe("the profile of a big organization", () => {
  it("is ready before anyone asks, equals the computed one, and is the same for page and API", async () => {
    const { services, clock, owner, kept } = await arrange(12_000);
    let ms = 0;
    // Each computation takes two seconds on this clock.
    const cache = new AnswerCache(() => {
      ms += 2_000;
      return ms;
    });
    const upkeep = createProfileUpkeep(services, { cache, bigFrom: 10_000 });
    await upkeep();
    expect((await kept()).map(({ name }) => name)).toEqual(["profile 30", "profile 365", "profile 90"]);
    async function slowly() {
      // A named window is always computed.
      const to = clock.now();
      return await getFinancialProfile(services, owner, {
        from: new Date(to.getTime() - 90 * 24 * HOUR_MS),
        to,
      });
    }
    const exact = await slowly();
    const madeAt = clock.now();
    const stored = (await kept()).find(({ name }) => name === "profile 90");
    const { spendingMonths, otherPayees, ...profile } = pageProfileSchema.parse(stored?.answer);
    expect(profile).toEqual(exact);
    expect(spendingMonths.length).toBeGreaterThan(0);
    expect(otherPayees).toHaveLength(5);
    clock.advance(HOUR_MS / 2);
    const later = { ...owner, now: clock.now() };
    const asked = await getFinancialProfile(services, later, { from: null, to: null });
    expect(asked).toEqual(exact);
    const page = await readProfilePage({ services, context: later, time: TIME }, 90);
    expect(page).toMatchObject({ isKept: true, profile: exact });
    expect(page.profile.generatedAt).toBe(madeAt.toISOString());
    // Someone read it when it was old, so it is computed again as of now.
    expect(await upkeep()).toBe(1);
    const renewed = await getFinancialProfile(services, later, { from: null, to: null });
    expect(renewed.generatedAt).toBe(clock.now().toISOString());
  });

  it("of a small one is never cached: readers see the current state", async () => {
    const { services, owner, kept } = await arrange(200);
    await createProfileUpkeep(services, { bigFrom: 10_000 })();
    const page = await readProfilePage({ services, context: owner, time: TIME }, 90);
    expect(page.isKept).toBe(false);
    expect(await kept()).toEqual([]);
  });
});
