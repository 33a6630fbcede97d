import { beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { financialProfileSchema } from "@/lib/contract/financial-profile";
import { createTestApi, readEverything } from "@/lib/testing/api";
import { useTestDatabase } from "@/lib/testing/database";
import { createMoneyHistory } from "@/lib/testing/money-history";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";

const database = useTestDatabase();

async function arrange() {
  const { services } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const checking = await organization.addAccount({ name: "Checking", type: "EXTERNAL_ACCOUNT" });
  const history = createMoneyHistory(database, organization.organizationId);
  const call = createTestApi(services);
  const key = await organization.addKey(readEverything);
  const get = (query = "", keyText = key.text) => call(keyText, "GET", `/financial-profile${query}`);
  return { organization, checking, ...history, get };
}
let world: Awaited<ReturnType<typeof arrange>>;
beforeEach(async () => {
  world = await arrange();
});

const bodySchema = z.object({ data: financialProfileSchema, requestId: z.string() });

describe("GET /financial-profile", () => {
  it("answers the last ninety days with sums, and never names a transaction", async () => {
    const id = await world.outside({
      accountId: world.checking,
      on: "2026-01-05",
      amountInCents: 123_457,
      direction: "MONEY_OUT",
      merchantName: "Dockside Lofts",
      description: "DOCKSIDE REF 99812",
      category: "HOUSING_AND_UTILITIES",
    });
    const response = await world.get();
    expect(response.status).toBe(200);
    const { data } = bodySchema.parse(response.body);
    expect(data.window).toEqual({ from: "2025-10-17T17:00:00.000Z", to: "2026-01-15T17:00:00.000Z" });
    expect(data.categoryBreakdown[0]).toEqual({
      category: "HOUSING_AND_UTILITIES",
      amountInCents: 123_457,
      share: 1,
      transactionCount: 1,
    });
    expect(response.text).not.toContain(id);
    expect(response.text).not.toMatch(/dockside/i);
  });

  it("keeps to the window that is asked for; one that reaches into the future ends now", async () => {
    for (const on of ["2025-03-01", "2025-04-01"]) {
      await world.outside({ accountId: world.checking, on, amountInCents: 1_000, direction: "MONEY_IN" });
    }
    const past = bodySchema.parse(
      (await world.get("?from=2025-02-15T00:00:00Z&to=2025-03-15T00:00:00Z")).body,
    );
    expect(past.data.income.totalInCents).toBe(1_000);
    const future = bodySchema.parse(
      (await world.get("?from=2025-02-15T00:00:00Z&to=2027-01-01T00:00:00Z")).body,
    );
    expect(future.data.window.to).toBe("2026-01-15T17:00:00.000Z");
    expect(future.data.income.totalInCents).toBe(2_000);
  });

  it("takes plain dates, which begin and end in the organization's zone", async () => {
    const { data } = bodySchema.parse((await world.get("?from=2025-03-01&to=2025-03-08")).body);
    // In New York clocks go forward on 2025-03-09.
    expect(data.window).toMatchObject({ from: "2025-03-01T05:00:00.000Z", to: "2025-03-09T04:59:59.999Z" });
  });

  it.each([
    ["a date that there is none of", "?from=2025-02-29"],
    ["a time without a zone", "?from=2025-01-01T00:00:00"],
    ["a range that ends before it begins", "?from=2026-01-05T00:00:00Z&to=2026-01-01T00:00:00Z"],
    ["a range in the future", "?from=2026-02-01T00:00:00Z"],
    ["more than two years", "?from=2023-12-01T00:00:00Z"],
    ["a field that it does not have", "?accountId=019a9c52-7a10-7c3e-8d21-5b7f0c4e9a11"],
    ["a field given twice", "?from=2026-01-01T00:00:00Z&from=2026-01-02T00:00:00Z"],
  ])("refuses %s", async (_what, query) => {
    const response = await world.get(query);
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ error: { code: "INVALID_PARAMETERS" } });
  });

  it("takes two whole years, a leap year among them", async () => {
    expect((await world.get("?from=2023-06-01T00:00:00Z&to=2025-06-01T00:00:00Z")).status).toBe(200);
  });

  it("is for keys that may read all accounts, also where a list names every one", async () => {
    const listed = await world.organization.addKey([{ type: "READ_TRANSFERS", accounts: [world.checking] }]);
    const refused = await world.get("", listed.text);
    expect(refused.status).toBe(403);
    expect(refused.body).toMatchObject({
      error: { code: "ACCESS_DENIED", message: expect.stringContaining("all accounts") },
    });
    const without = await world.organization.addKey([{ type: "READ_ACCOUNTS", accounts: "ALL" }]);
    expect((await world.get("", without.text)).status).toBe(403);
  });

  it("is in the audit log under its name, refused or not", async () => {
    await world.get();
    await world.get("?from=nonsense");
    const { rows } = await database.pool.query(
      "select action, outcome from audit_entries where organization_id = $1 order by id",
      [world.organization.organizationId],
    );
    expect(rows).toEqual([
      { action: "GET_FINANCIAL_PROFILE", outcome: "SUCCESS" },
      { action: "GET_FINANCIAL_PROFILE", outcome: "FAILURE" },
    ]);
  });
});
