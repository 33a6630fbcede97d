import { describe, expect, it } from "vitest";
import { MAXIMUM_LISTED_RESOURCES } from "@/lib/contract/whoami";
import { closeGates } from "@/lib/core/keys/switch-gates";
import { askTransfer, createTestApi, moveAnything, readEverything } from "@/lib/testing/api";
import { connectTestAssistant } from "@/lib/testing/assistants";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";
import { whoAmI } from "@/lib/views/keys/who-am-i";

const database = useTestDatabase();

async function arrange() {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services, "Northwind");
  const pod = (name: string) => organization.addAccount({ name, type: "POD", balanceInCents: 1_000_000 });
  const operating = await pod("Operating");
  const taxes = await pod("Taxes");
  const reserve = await pod("Reserve");
  return { services, clock, organization, operating, taxes, reserve };
}

describe("a caller", () => {
  it("learns its organization, its permissions and their routes, and no other account", async () => {
    const { services, clock, organization, operating, taxes, reserve } = await arrange();
    const stranger = await createTestOrganization(database, services, "Elsewhere");
    const { context, id } = await organization.addKey(
      [
        {
          type: "MANUAL_TRANSFER",
          entries: [
            { source: operating, target: taxes, max_amount: 50_000 },
            { source: "ANY", target: taxes },
          ],
          approval: { required: true },
        },
        { type: "READ_ACCOUNTS", accounts: [taxes] },
        { type: "CREATE_ACCOUNTS" },
      ],
      "claude-taxes",
    );
    const answer = await whoAmI(services, context);
    expect(answer).toMatchObject({
      organization: { name: "Northwind", timeZone: "America/New_York", now: clock.now().toISOString() },
      caller: { kind: "API_KEY", id, name: "claude-taxes", memberName: null, role: null },
      gates: { areOpen: true, closedAt: null },
      bank: { isSandbox: true, name: null },
    });
    const nothing = { accountIds: [], ruleIds: [], routes: [], count: 0 };
    expect(answer.permissions).toEqual([
      {
        ...nothing,
        permission: "MANUAL_TRANSFER",
        requiresApproval: true,
        reach: "LISTED",
        routes: [
          { sourceAccountId: operating, destinationAccountId: taxes, maximumAmountInCents: 50_000 },
          { sourceAccountId: null, destinationAccountId: taxes, maximumAmountInCents: null },
        ],
        count: 2,
      },
      {
        ...nothing,
        permission: "READ_ACCOUNTS",
        requiresApproval: false,
        reach: "LISTED",
        accountIds: [taxes],
        count: 1,
      },
      { ...nothing, permission: "CREATE_ACCOUNTS", requiresApproval: false, reach: "ALL" },
    ]);
    const text = JSON.stringify(answer);
    for (const unknown of [reserve, "Reserve", "Operating", "Elsewhere", stranger.organizationId]) {
      expect(text).not.toContain(unknown);
    }
  });

  it("reads the date of its organization's time zone, not of UTC", async () => {
    const { services, organization } = await arrange();
    const { context } = await organization.addKey([]);
    const at = (now: string) => whoAmI(services, { ...context, now: new Date(now) });
    expect((await at("2026-11-21T04:59:59Z")).organization.businessDate).toBe("2026-11-20");
    expect((await at("2026-11-21T05:00:00Z")).organization.businessDate).toBe("2026-11-21");
  });

  it("learns what is left of its daily cap, which counts the last 24 hours", async () => {
    const { services, clock, organization, operating, taxes } = await arrange();
    const { context } = await organization.addKey([moveAnything(false)], "capped", 100_000);
    const cap = async () => (await whoAmI(services, { ...context, now: clock.now() })).dailyCap;
    expect(await cap()).toEqual({ capInCents: 100_000, usedInCents: 0, leftInCents: 100_000 });
    await askTransfer(services, context, {
      sourceAccountId: operating,
      destinationAccountId: taxes,
      amountInCents: 30_000,
    });
    expect(await cap()).toEqual({ capInCents: 100_000, usedInCents: 30_000, leftInCents: 70_000 });
    clock.advance(25 * 3_600_000);
    expect(await cap()).toEqual({ capInCents: 100_000, usedInCents: 0, leftInCents: 100_000 });
    const uncapped = await organization.addKey([moveAnything(false)]);
    expect((await whoAmI(services, uncapped.context)).dailyCap).toEqual({
      capInCents: null,
      usedInCents: null,
      leftInCents: null,
    });
  });

  it("counts its own waiting proposals, and not those of another key", async () => {
    const { services, organization, operating, taxes } = await arrange();
    const asking = await organization.addKey([moveAnything(true)]);
    const other = await organization.addKey([moveAnything(true)]);
    const body = { sourceAccountId: operating, destinationAccountId: taxes, amountInCents: 100 };
    await askTransfer(services, asking.context, body);
    await askTransfer(services, asking.context, body);
    expect((await whoAmI(services, asking.context)).proposals).toEqual({ waiting: 2, maximum: 100 });
    expect((await whoAmI(services, other.context)).proposals).toEqual({ waiting: 0, maximum: 100 });
  });

  it("that is an assistant learns whose it is, and that it always asks", async () => {
    const { services, organization } = await arrange();
    const { context } = await connectTestAssistant(database, organization.owner);
    const answer = await whoAmI(services, context);
    expect(answer.caller).toMatchObject({
      kind: "ASSISTANT",
      name: "Claude",
      memberName: "Mara",
      role: "OWNER",
    });
    expect(
      answer.permissions
        .filter(({ requiresApproval }) => requiresApproval)
        .map(({ permission }) => permission),
    ).toEqual(["TRIGGER_RULES", "MANUAL_TRANSFER"]);
  });

  it("sees the rate window that its response headers give", async () => {
    const { services, organization } = await arrange();
    const { text } = await organization.addKey([]);
    const call = createTestApi(services);
    await call(text, "GET", "/beneficiaries");
    const { headers, body } = await call(text, "GET", "/whoami");
    const { remaining, resetsInSeconds, limit } = Object(body).data.rateLimit;
    expect(headers.get("RateLimit")).toBe(`"per-key";r=${remaining};t=${resetsInSeconds}`);
    expect(limit - remaining).toBeGreaterThan(1);
  });

  it("learns that the gates are closed, and since when", async () => {
    const { services, clock, organization } = await arrange();
    const { context } = await organization.addKey([]);
    await closeGates(services, { ...organization.owner, now: clock.now() });
    const { gates } = await whoAmI(services, context);
    expect(gates).toEqual({ areOpen: false, closedAt: clock.now().toISOString() });
  });

  it("with more accounts than are listed learns how many there are", async () => {
    const { services, organization } = await arrange();
    const { context, id } = await organization.addKey([]);
    const accounts = Array.from({ length: MAXIMUM_LISTED_RESOURCES + 1 }, () => crypto.randomUUID());
    const actor = { ...context.actor, id, permissions: [{ type: "READ_TRANSFERS" as const, accounts }] };
    const [permission] = (await whoAmI(services, { ...context, actor })).permissions;
    expect(permission?.count).toBe(MAXIMUM_LISTED_RESOURCES + 1);
    expect(permission?.accountIds).toEqual(accounts.slice(0, MAXIMUM_LISTED_RESOURCES));
  });
});

describe("with real money", () => {
  it("shows the organization's cap to those who move money, and its use to those who may read all of it", async () => {
    const { services, clock, organization } = await arrange();
    await database.ownerPool.query(
      "insert into bank_in_use (name, is_production, since) values ('Increase', true, $1)",
      [clock.now()],
    );
    try {
      const ask = async (permissions: Parameters<typeof organization.addKey>[0]) =>
        whoAmI(services, (await organization.addKey(permissions)).context);
      const { bank, outgoingCap } = await ask([moveAnything(true), ...readEverything]);
      expect(bank).toEqual({ isSandbox: false, name: "Increase" });
      expect(outgoingCap).toEqual({ capInCents: 100_000, usedInCents: 0, leftInCents: 100_000 });
      expect((await ask([moveAnything(true)])).outgoingCap).toEqual({
        capInCents: 100_000,
        usedInCents: null,
        leftInCents: null,
      });
      expect((await ask(readEverything)).outgoingCap.capInCents).toBeNull();
    } finally {
      await database.ownerPool.query("delete from bank_in_use");
    }
  });
});
