import { describe, expect, it } from "vitest";
import { authenticateApiKey } from "@/lib/core/keys/authenticate-api-key";
import { noteNetwork } from "@/lib/core/keys/note-network";
import { watchKeys } from "@/lib/core/keys/watch-keys";
import { savePreference } from "@/lib/core/notifications/save-preference";
import { sendNotices } from "@/lib/core/notifications/send-notices";
import { CLIENT_ADDRESS_HEADER } from "@/lib/core/shared/network";
import { askTransfer, createTestApi, moveAnything, readEverything } from "@/lib/testing/api";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";
import { waitUntil } from "@/lib/testing/wait-until";

/** What owners learn about keys used in unusual ways, and what they do not. */
const database = useTestDatabase();

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;

async function arrange(dailyCapInCents: number | null = null) {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const { organizationId } = organization;
  const operating = await organization.addAccount({
    name: "Operating",
    type: "POD",
    balanceInCents: 100_000_000,
  });
  const taxes = await organization.addAccount({ name: "Taxes", type: "POD" });
  const key = await organization.addKey(
    [moveAnything(false), ...readEverything],
    "claude-ops",
    dailyCapInCents,
  );
  const call = createTestApi(services);
  const move = (amountInCents: number) =>
    askTransfer(
      services,
      { ...key.context, now: clock.now() },
      { sourceAccountId: operating, destinationAccountId: taxes, amountInCents },
    );
  /** Used now, and checked as soon as the check is due. */
  const looksAfterUse = async () => {
    await authenticateApiKey(services, key.text);
    clock.advance(15_000);
    await watchKeys(services, 32);
  };
  const alerts = async () => {
    const { rows } = await database.ownerPool.query<{ kind: string; facts: object }>(
      "select kind, facts from key_alerts where organization_id = $1 order by kind",
      [organizationId],
    );
    return rows;
  };
  const mailed = async () => {
    for (let round = 0; round < 4; round += 1) await sendNotices(services, { isSandboxBank: true }, 50);
    const { rows } = await database.ownerPool.query<{ subject: string; bodyText: string; channel: string }>(
      `select subject, body_text as "bodyText",
          channel from messages where organization_id = $1 and kind = 'KEY_UNUSUAL' order by id`,
      [organizationId],
    );
    return rows;
  };
  return {
    services,
    clock,
    organization,
    organizationId,
    operating,
    taxes,
    key,
    call,
    move,
    looksAfterUse,
    alerts,
    mailed,
  };
}

describe("an owner is notified of a key", () => {
  it("that is used from a new network, once a day, and never of its first", async () => {
    const { services, key, call, alerts, mailed, clock, organizationId } = await arrange();
    const from = (address: string) =>
      call(key.text, "GET", "/accounts", { headers: { [CLIENT_ADDRESS_HEADER]: address } });
    const known = async () => {
      const { rows } = await database.ownerPool.query<{ network: string }>(
        "select network from key_networks where organization_id = $1 order by network",
        [organizationId],
      );
      return rows.map(({ network }) => network);
    };
    await from("203.0.113.7");
    await waitUntil("the network is known", async () => (await known()).length === 1);
    await from("203.0.113.99");
    await from("198.51.100.4");
    await from("2001:db8:7:1::1");
    await waitUntil("the network is known", async () => (await known()).length === 3);
    expect(await alerts()).toEqual([
      { kind: "NEW_NETWORK", facts: { network: expect.stringMatching(/x$/), knownNetworks: 1 } },
    ]);
    const messages = await mailed();
    expect(messages).toHaveLength(1);
    expect(messages[0]?.subject).toBe("claude-ops: used from a new network");
    expect(messages[0]?.bodyText).toContain("revoke the key there");
    expect(messages[0]?.bodyText).toContain("close all gates");
    clock.advance(DAY_MS);
    noteNetwork(services, { organizationId, id: key.id }, "192.0.2.1");
    await waitUntil("it is notified", async () => (await alerts()).length === 2);
    // A revoked key is used from nowhere, so that nothing compares its networks.
    const { rows } = await database.pool.query(
      "select outcome from revoke_api_key($1, $2, null, 'OPERATOR', $3)",
      [organizationId, key.id, clock.now()],
    );
    expect(rows).toEqual([{ outcome: "REVOKED" }]);
    expect(await known()).toEqual([]);
  });

  it("that is used again after 45 days of silence, not after a monthly use", async () => {
    const { clock, looksAfterUse, alerts, mailed } = await arrange();
    await looksAfterUse();
    clock.advance(31 * DAY_MS);
    await looksAfterUse();
    expect(await alerts()).toEqual([]);
    clock.advance(60 * DAY_MS);
    await looksAfterUse();
    await looksAfterUse();
    expect(await alerts()).toEqual([{ kind: "AFTER_SILENCE", facts: { days: 60 } }]);
    expect((await mailed())[0]?.bodyText).toContain("after 60 days without a request");
  });

  it("that is refused twenty times in 15 minutes, not fewer, and not by closed gates", async () => {
    const { clock, key, call, taxes, looksAfterUse, alerts, organization, organizationId } = await arrange();
    const probe = async (times: number) => {
      for (let index = 0; index < times; index += 1) await call(key.text, "GET", `/rules/${taxes}`);
    };
    await probe(19);
    await looksAfterUse();
    expect(await alerts()).toEqual([]);
    clock.advance(16 * MINUTE_MS);
    await database.ownerPool.query(
      "insert into gate_closings (organization_id, id, closed_at, closed_by) values ($1, gen_random_uuid(), $2, $3)",
      [organizationId, clock.now(), organization.owner.actor.id],
    );
    await probe(30);
    await looksAfterUse();
    expect(await alerts()).toEqual([]);
    await database.ownerPool.query(
      "update gate_closings set opened_at = $2, opened_by = $3, opening_method = 'PASSWORD' where organization_id = $1",
      [organizationId, clock.now(), organization.owner.actor.id],
    );
    clock.advance(16 * MINUTE_MS);
    await probe(20);
    await looksAfterUse();
    expect(await alerts()).toEqual([
      { kind: "REFUSALS", facts: { refusals: 20, commonest: "ACCESS_DENIED" } },
    ]);
  });

  it("that moves far more than ever before, not one that grows", async () => {
    const { clock, move, looksAfterUse, alerts } = await arrange();
    for (let day = 0; day < 4; day += 1) {
      for (const cents of [30_000, 20_000, 50_000]) await move(cents);
      clock.advance(20_000);
      await looksAfterUse();
      clock.advance(DAY_MS);
    }
    await move(250_000);
    clock.advance(20_000);
    await looksAfterUse();
    expect(await alerts()).toEqual([]);
    clock.advance(DAY_MS);
    await move(1_250_100);
    clock.advance(20_000);
    await looksAfterUse();
    expect(await alerts()).toEqual([
      { kind: "LARGE_AMOUNT", facts: { amountInCents: 1_250_100, usualInCents: 250_000 } },
      { kind: "LARGE_DAY", facts: { dayInCents: 1_250_100, usualInCents: 250_000 } },
    ]);
  });

  it.each([
    [100_000, ["LARGE_AMOUNT"]],
    [99_999, []],
  ])("that usually moves $1.00 and now %d cents: %j", async (cents, expected) => {
    const { clock, move, looksAfterUse, alerts } = await arrange();
    for (let count = 0; count < 10; count += 1) await move(100);
    clock.advance(20_000);
    await looksAfterUse();
    await move(cents);
    clock.advance(20_000);
    await looksAfterUse();
    expect((await alerts()).map(({ kind }) => kind)).toEqual(expected);
  });

  it.each([
    [89, []],
    [91, ["LARGE_AMOUNT"]],
  ])("that moves what was usual %d days ago: %j", async (days, expected) => {
    const { clock, move, looksAfterUse, alerts } = await arrange();
    await move(500_000);
    clock.advance(20_000);
    await looksAfterUse();
    clock.advance((days - 40) * DAY_MS);
    for (let count = 0; count < 10; count += 1) await move(30_000);
    clock.advance(20_000);
    await looksAfterUse();
    clock.advance(40 * DAY_MS);
    await move(500_000);
    clock.advance(20_000);
    await looksAfterUse();
    const kinds = (await alerts()).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind !== "AFTER_SILENCE")).toEqual(expected);
  });

  it("that reached its daily cap, once", async () => {
    const { move, alerts, mailed } = await arrange(10_000);
    await move(8_000);
    await move(5_000);
    await move(5_000);
    expect(await alerts()).toEqual([
      { kind: "CAP_REACHED", facts: { capInCents: 10_000, usedInCents: 8_000 } },
    ]);
    expect((await mailed())[0]?.bodyText).toContain("It had moved $80.00 of its daily cap of $100.00");
  });

  it("that floods its approvers, in a bounded number of messages", async () => {
    const { services, clock, move, looksAfterUse, alerts, organizationId } = await arrange(0);
    for (let index = 0; index < 90; index += 1) await move(100);
    await looksAfterUse();
    expect((await alerts()).map(({ kind }) => kind)).toEqual(["CAP_REACHED", "MANY_WAITING"]);
    for (let round = 0; round < 10; round += 1) {
      await sendNotices(services, { isSandboxBank: true }, 50);
      clock.advance(2 * MINUTE_MS);
    }
    const { rows } = await database.ownerPool.query<{ kind: string; count: number }>(
      "select kind, count(*)::int as count from messages where organization_id = $1 group by kind order by kind",
      [organizationId],
    );
    const byKind = Object.fromEntries(rows.map(({ kind, count }) => [kind, count]));
    expect(byKind.KEY_UNUSUAL).toBe(2);
    expect(byKind.APPROVAL_ASKED).toBeLessThanOrEqual(8);
  });
});

it("an owner who turned it off gets nothing, and the key's record still has it", async () => {
  const { services, organization, move, alerts, mailed, clock } = await arrange(0);
  await savePreference(
    services,
    { ...organization.owner, now: clock.now() },
    {
      topic: "UNUSUAL_USE",
      channel: "EMAIL",
      isOn: false,
    },
  );
  await move(100);
  expect(await alerts()).toHaveLength(1);
  expect(await mailed()).toEqual([]);
});

it("no one is notified of another organization's key", async () => {
  const here = await arrange(0);
  const there = await arrange(0);
  await here.move(100);
  expect(await here.mailed()).toHaveLength(1);
  expect(await there.alerts()).toEqual([]);
  expect(await there.mailed()).toEqual([]);
});

it("an unused key is not checked", async () => {
  const { services, clock, key, looksAfterUse } = await arrange();
  await looksAfterUse();
  clock.advance(2 * MINUTE_MS);
  await watchKeys(services, 32);
  clock.advance(MINUTE_MS);
  await watchKeys(services, 32);
  const { rows } = await database.ownerPool.query(
    `select watch_due_at as "watchDueAt" from api_keys where id = $1`,
    [key.id],
  );
  expect(rows).toEqual([{ watchDueAt: null }]);
});
