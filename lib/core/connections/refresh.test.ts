import { describe, expect, it } from "vitest";
import { leaseConnections } from "@/lib/core/connections/apply-refresh";
import { beginConnecting, signInAgain } from "@/lib/core/connections/begin-connecting";
import { connectAccounts } from "@/lib/core/connections/connect-accounts";
import { disconnect, removeDisconnected } from "@/lib/core/connections/disconnect";
import { listConnections } from "@/lib/core/connections/list-connections";
import { playInstitution } from "@/lib/core/connections/play-institution";
import { refreshConnection, refreshDueConnections } from "@/lib/core/connections/refresh-due-connections";
import { refreshNow } from "@/lib/core/connections/refresh-now";
import { getAccount } from "@/lib/core/ledger/read-accounts";
import { collectBankNotices } from "@/lib/core/transfers/collect-bank-notices";
import { submitDueTransfers } from "@/lib/core/transfers/submit-due-transfers";
import { createSandboxAggregator } from "@/lib/ports/aggregator/sandbox/create-sandbox-aggregator";
import {
  createSandboxInstitutions,
  type MemberMovement,
} from "@/lib/ports/aggregator/sandbox/sandbox-institutions";
import { createSandboxBank } from "@/lib/ports/bank/sandbox/create-sandbox-bank";
import { askTransfer, moveAnything, readEverything } from "@/lib/testing/api";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { BANK_WINDOW_MS } from "@/lib/testing/sandbox";
import { createTestServices } from "@/lib/testing/services";

const database = useTestDatabase();

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

// The clock starts on Thursday, 15 January 2026, 12:00 in New York.
async function arrange(templates = ["first_harbor_checking"], institutionId = "sbx_first_harbor") {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const aggregator = createSandboxAggregator(database.pool);
  const institutions = createSandboxInstitutions(database.pool);
  const owner = () => ({ ...organization.owner, now: clock.now() });
  const proof = { kind: "CHOICE", institutionId, templates } as const;
  const { connectionId, accountIds } = await connectAccounts(services, aggregator, owner(), proof);
  const accountId = accountIds[0] ?? "";
  /** Refreshes this connection if it is due; other tests' connections share the database. */
  const refresh = async () => {
    const leased = await leaseConnections(services, "SANDBOX", 100);
    const own = leased.filter(({ id }) => id === connectionId);
    const news = await Promise.all(own.map((one) => refreshConnection(services, aggregator, one)));
    return { count: own.length, news: news.flat() };
  };
  const transactions = async () => {
    const { rows } = await database.pool.query(
      `select id, provider_transaction_id as "providerId", amount_in_cents as amount, direction, status, description,
          transaction_date as "transactionDate", transfer_id as "transferId", vanished_at as "vanishedAt",
          provider_category as "providerCategory"
         from external_transactions where organization_id = $1 order by transaction_date, id`,
      [organization.organizationId],
    );
    return rows;
  };
  const key = await organization.addKey([...readEverything, moveAnything(false)]);
  const balance = async () => {
    const context = { ...key.context, now: clock.now() };
    return (await getAccount(services, context, accountId)).balance;
  };
  const play = (movement: Partial<MemberMovement>) =>
    playInstitution(services, institutions, owner(), connectionId, {
      kind: "MOVE",
      movement: {
        providerAccountId: accountsByOurId.get(accountId) ?? "",
        direction: "MONEY_IN",
        amountInCents: 12_345,
        description: "MEMBER",
        merchantName: null,
        providerCategory: "INCOME_WAGES",
        as: "POSTED",
        ...movement,
      },
    });
  const [view] = await listConnections(services, owner());
  const accountsByOurId = new Map(view?.accounts.map((one) => [one.id, one.providerAccountId]));
  return {
    ...{ services, clock, organization, aggregator, institutions, owner, connectionId, accountId, refresh },
    ...{ transactions, balance, play, key },
  };
}

describe("connecting an institution", () => {
  it("creates external accounts with masked numbers and balances, and reads a year of transactions", async () => {
    const { services, clock, owner, balance, refresh, transactions, accountId, key } = await arrange();
    expect(await balance()).toMatchObject({ balanceInCents: expect.any(Number), error: null });
    const account = await getAccount(services, key.context, accountId);
    expect(account).toMatchObject({
      type: "EXTERNAL_ACCOUNT",
      externalAccountType: "DEPOSITORY",
      institutionName: "First Harbor",
      bankAccountNumber: expect.stringMatching(/^••••\d{4}$/),
      routingNumber: "••••0146",
    });
    const { count, news } = await refresh();
    expect(count).toBe(1);
    expect((await transactions()).length).toBeGreaterThan(300);
    expect(news.length).toBeGreaterThan(300);
    expect(news.every(({ kind }) => kind === "NEW")).toBe(true);
    // A purchase in the minute of the connection, as one account in some 300 has, is not from before it.
    const earlier = (await transactions())
      .filter((one) => one.transactionDate < clock.now())
      .map(({ id }) => id);
    expect(
      news
        .filter(({ isBackfill }) => isBackfill)
        .map(({ id }) => id)
        .sort(),
    ).toEqual(earlier.sort());
    const [view] = await listConnections(services, owner());
    // Friday, early morning in New York.
    expect(view?.nextRefreshAt).toMatch(/^2026-01-16T1[01]:/);
    expect((await refresh()).count).toBe(0);
  });

  it("is limited to owners and co-owners", async () => {
    const { services, organization, aggregator, connectionId, institutions } = await arrange();
    const viewer = await organization.addMember("VIEWER", "Tomas");
    const proof = { kind: "CHOICE", institutionId: "sbx_summit", templates: ["summit_visa"] } as const;
    const denied = { code: "ACCESS_DENIED" };
    await expect(connectAccounts(services, aggregator, viewer, proof)).rejects.toMatchObject(denied);
    await expect(disconnect(services, viewer, connectionId)).rejects.toMatchObject(denied);
    await expect(refreshNow(services, viewer, connectionId)).rejects.toMatchObject(denied);
    await expect(signInAgain(services, viewer, connectionId)).rejects.toMatchObject(denied);
    await expect(
      playInstitution(services, institutions, viewer, connectionId, { kind: "HEAL" }),
    ).rejects.toMatchObject(denied);
  });

  it("rejects what the institution does not offer, and leaves nothing behind", async () => {
    const { services, aggregator, owner } = await arrange();
    const before = await listConnections(services, owner());
    const unknown = { kind: "CHOICE", institutionId: "sbx_nowhere", templates: [] } as const;
    await expect(connectAccounts(services, aggregator, owner(), unknown)).rejects.toMatchObject({
      code: "INVALID_PARAMETERS",
    });
    expect(await listConnections(services, owner())).toEqual(before);
  });
});

describe("a connection", () => {
  it("is refreshed each banking day, keeps ids across settlement, and reports what is new and what settles", async () => {
    const { clock, refresh, transactions, play } = await arrange();
    await refresh();
    await play({ as: "PENDING", direction: "MONEY_OUT", amountInCents: 4_200, description: "BAKERY" });
    const first = await refresh();
    expect(first.news).toEqual([
      expect.objectContaining({ kind: "NEW", status: "PENDING", amountInCents: 4_200, isBackfill: false }),
    ]);
    const pending = (await transactions()).find((one) => one.description === "BAKERY");
    expect(pending).toMatchObject({ status: "PENDING" });
    const settled = [];
    for (let day = 0; day < 6; day += 1) {
      clock.advance(DAY_MS);
      settled.push(...(await refresh()).news.filter(({ id }) => id === pending.id));
    }
    expect(settled).toMatchObject([{ kind: "SETTLED", status: "COMPLETE", amountInCents: 4_200 }]);
    const posted = (await transactions()).filter((one) => one.description === "BAKERY");
    expect(posted).toMatchObject([{ id: pending.id, status: "COMPLETE", vanishedAt: null }]);
    expect(posted[0]?.providerId).not.toBe(pending.providerId);
  });

  it("hides vanished transactions but keeps them", async () => {
    const { services, institutions, owner, connectionId, refresh, transactions, play } = await arrange();
    await refresh();
    await play({ as: "PENDING", direction: "MONEY_OUT", description: "HOTEL" });
    await refresh();
    const { providerId } = (await transactions()).find((one) => one.description === "HOTEL");
    await playInstitution(services, institutions, owner(), connectionId, {
      kind: "DECIDE_PENDING",
      transactionId: providerId,
      decision: { kind: "VANISH" },
    });
    expect((await refresh()).news).toEqual([]);
    const hotel = (await transactions()).filter((one) => one.description === "HOTEL");
    expect(hotel).toMatchObject([{ status: "PENDING", vanishedAt: expect.any(Date) }]);
  });

  it("is retried at growing intervals while unresponsive; its balance is unknown after the fourth failure, then recovers", async () => {
    const { services, institutions, owner, clock, connectionId, refresh, balance } = await arrange();
    await refresh();
    const known = await balance();
    const fault = { kind: "UNAVAILABLE", code: "INSTITUTION_DOWN" } as const;
    await playInstitution(services, institutions, owner(), connectionId, { kind: "FAIL", fault });
    const balances = [];
    for (const minutes of [0, 1, 5, 30]) {
      clock.advance(minutes * MINUTE_MS);
      expect((await refresh()).count).toBe(1);
      expect((await refresh()).count).toBe(0);
      balances.push((await balance())?.balanceInCents);
    }
    expect(balances).toEqual([known?.balanceInCents, known?.balanceInCents, known?.balanceInCents, null]);
    expect(await balance()).toMatchObject({ error: "INSTITUTION_DOWN", availableBalanceInCents: null });
    const [view] = await listConnections(services, owner());
    expect(view?.accounts[0]).toMatchObject({
      isBalanceKnown: false,
      lastKnownBalanceInCents: known?.balanceInCents,
    });
    await playInstitution(services, institutions, owner(), connectionId, { kind: "HEAL" });
    clock.advance(120 * MINUTE_MS);
    await refresh();
    expect(await balance()).toMatchObject({ balanceInCents: expect.any(Number), error: null });
  });

  it("stops and says so at once when it requires a sign-in, and resumes after it", async () => {
    const { services, aggregator, institutions, owner, clock, connectionId, refresh, balance } =
      await arrange();
    await refresh();
    const fault = { kind: "SIGN_IN", code: "ITEM_LOGIN_REQUIRED" } as const;
    await playInstitution(services, institutions, owner(), connectionId, { kind: "FAIL", fault });
    await refresh();
    expect(await balance()).toMatchObject({ balanceInCents: null, error: "ITEM_LOGIN_REQUIRED" });
    clock.advance(30 * DAY_MS);
    expect((await refresh()).count).toBe(0);
    expect(await refreshNow(services, owner(), connectionId)).toEqual({ kind: "NOT_ACTIVE" });
    await beginConnecting(services, aggregator, owner(), { institutionId: null, again: { connectionId } });
    expect(await signInAgain(services, owner(), connectionId)).toBe(true);
    expect((await refresh()).news.length).toBeGreaterThan(20);
    expect(await balance()).toMatchObject({ error: null });
    expect(await signInAgain(services, owner(), connectionId)).toBe(false);
  });

  it("is no longer read once disconnected; its history remains, its balance is unknown", async () => {
    const { services, aggregator, owner, clock, connectionId, refresh, balance, transactions } =
      await arrange();
    await refresh();
    const seen = await transactions();
    // As if the provider had issued an access token, which must be revoked.
    await database.ownerPool.query("update connections set sealed_access_token = '\\x01' where id = $1", [
      connectionId,
    ]);
    expect(await disconnect(services, owner(), connectionId)).toBe(true);
    expect(await disconnect(services, owner(), connectionId)).toBe(false);
    clock.advance(10 * DAY_MS);
    expect((await refresh()).count).toBe(0);
    expect(await balance()).toMatchObject({ balanceInCents: null, error: "DISCONNECTED" });
    expect(await transactions()).toEqual(seen);
    await removeDisconnected(services, aggregator, 100);
    const { rows } = await database.pool.query(
      `select sealed_access_token as "sealedAccessToken" from connections
  where id = $1`,
      [connectionId],
    );
    expect(rows).toEqual([{ sealedAccessToken: null }]);
  });

  it("may be refreshed manually ten times in 15 minutes", async () => {
    const { services, owner, connectionId } = await arrange();
    const kinds = [];
    for (let count = 0; count < 11; count += 1) {
      kinds.push((await refreshNow(services, owner(), connectionId)).kind);
    }
    expect(kinds).toEqual([...Array(10).fill("DUE"), "THROTTLED"]);
  });

  it("cannot be touched by another organization", async () => {
    const { services, institutions, connectionId } = await arrange();
    const stranger = (await createTestOrganization(database, services, "Elsewhere")).owner;
    expect(await disconnect(services, stranger, connectionId)).toBe(false);
    expect(await refreshNow(services, stranger, connectionId)).toEqual({ kind: "NOT_ACTIVE" });
    expect(await playInstitution(services, institutions, stranger, connectionId, { kind: "HEAL" })).toBe(
      false,
    );
    expect(await listConnections(services, stranger)).toEqual([]);
  });

  it("is refreshed by only one of two concurrent workers", async () => {
    const { services, aggregator, transactions } = await arrange();
    const counts = await Promise.all([
      refreshDueConnections(services, aggregator, 100),
      refreshDueConnections(services, aggregator, 100),
    ]);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0);
    const rows = await transactions();
    expect(new Set(rows.map((one) => one.providerId)).size).toBe(rows.length);
    expect(rows.length).toBeGreaterThan(300);
  });
});

describe("the other side of our own transfers", () => {
  it("is not counted as income or spending, once each way", async () => {
    const { services, organization, clock, key, accountId, refresh, transactions } = await arrange();
    const bank = createSandboxBank(database.pool);
    const operating = await organization.addAccount({
      name: "Operating",
      type: "POD",
      balanceInCents: 900_000,
    });
    await refresh();
    const ask = (isOut: boolean, amountInCents: number) =>
      askTransfer(services, key.context, {
        sourceAccountId: isOut ? operating : accountId,
        destinationAccountId: isOut ? accountId : operating,
        amountInCents,
      });
    const paid = [await ask(true, 40_000), await ask(true, 40_000)];
    const pulled = await ask(false, 30_003);
    for (let day = 0; day < 9; day += 1) {
      clock.advance(BANK_WINDOW_MS);
      await submitDueTransfers(services, bank, 20);
      clock.advance(DAY_MS);
      await collectBankNotices(services, bank, 20);
      await refresh();
    }
    const matched = (await transactions()).filter((one) => one.transferId !== null);
    expect(matched.map((one) => `${one.direction} ${one.amount}`).toSorted()).toEqual([
      "MONEY_IN 30003",
      "MONEY_IN 40000",
      "MONEY_IN 40000",
      "MONEY_OUT 30003",
    ]);
    const ids = matched.filter((one) => one.amount === 40_000).map((one) => one.transferId);
    expect(ids.toSorted()).toEqual(paid.map(({ id }) => id).toSorted());
    expect(matched.filter((one) => one.amount === 30_003).map((one) => one.transferId)).toEqual([
      pulled.id,
      pulled.id,
    ]);
  });

  it("is not confused with a payment of the same amount long before or after", async () => {
    const { services, organization, clock, key, accountId, refresh, transactions, play } = await arrange();
    const bank = createSandboxBank(database.pool);
    const operating = await organization.addAccount({
      name: "Operating",
      type: "POD",
      balanceInCents: 900_000,
    });
    await play({ amountInCents: 55_500, description: "CLIENT BEFORE" });
    await refresh();
    clock.advance(9 * DAY_MS);
    await askTransfer(
      services,
      { ...key.context, now: clock.now() },
      { sourceAccountId: operating, destinationAccountId: accountId, amountInCents: 55_500 },
    );
    clock.advance(BANK_WINDOW_MS);
    await submitDueTransfers(services, bank, 20);
    clock.advance(4 * DAY_MS);
    await collectBankNotices(services, bank, 20);
    await refresh();
    const same = (await transactions()).filter((one) => one.amount === 55_500);
    expect(same.map((one) => [one.description, one.transferId !== null])).toEqual([
      ["CLIENT BEFORE", false],
      ["ACH CREDIT SLUICE", true],
    ]);
  });
});
