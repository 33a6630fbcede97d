import { describe, expect, it } from "vitest";
import { replaceApiKey } from "@/lib/core/keys/replace-api-key";
import { revokeApiKey } from "@/lib/core/keys/revoke-api-key";
import { createTestApi, moveAnything, readEverything } from "@/lib/testing/api";
import { madeAtOnce } from "@/lib/testing/as-entered";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";
import { getKey } from "@/lib/views/keys/get-key";
import { listKeys } from "@/lib/views/keys/list-keys";

const database = useTestDatabase();

async function arrange() {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const operating = await organization.addAccount({
    name: "Operating",
    type: "POD",
    balanceInCents: 500_000,
  });
  const taxes = await organization.addAccount({ name: "Taxes", type: "POD" });
  const key = await organization.addKey([...readEverything, moveAnything(true)], "claude-taxes");
  const call = createTestApi(services);
  const owner = () => ({ ...organization.owner, now: clock.now() });
  const time = () => ({ nowAt: clock.now().toISOString(), timeZone: "America/New_York", locale: "en-US" });
  const look = async (id = key.id) => {
    const view = await getKey({ services, context: owner(), time: time() }, id);
    if (!view) throw new Error("no such key");
    return view;
  };
  const list = (showsRevoked = false) =>
    listKeys({ services, context: owner(), time: time() }, { showsRevoked, showsAll: false });
  return { services, clock, organization, operating, taxes, key, call, owner, time, look, list };
}

describe("the page of a key", () => {
  it("counts its own requests of 30 days by outcome, and no other key's", async () => {
    const { clock, organization, operating, taxes, key, call, look } = await arrange();
    const other = await organization.addKey(readEverything, "other");
    await call(key.text, "GET", "/accounts");
    clock.advance(31 * 86_400_000);
    const body = { sourceAccountId: operating, destinationAccountId: taxes, amountInCents: 10_000 };
    await call(key.text, "POST", "/transfers", { body, headers: { "x-called-reason": "Quarterly tax" } });
    await call(key.text, "GET", "/accounts");
    await call(key.text, "GET", `/accounts/${key.id}`);
    await call(other.text, "GET", "/accounts");
    const { activity, proposals, waitingCount, requestsThisMinute, key: facts } = await look();
    expect(activity).toMatchObject({
      totalCount: 3,
      failedCount: 1,
      failures: [{ code: "ACCOUNT_NOT_FOUND", count: 1 }],
      isTruncated: false,
    });
    expect(activity.days).toHaveLength(30);
    expect(activity.days.at(-1)).toMatchObject({ succeeded: 2, failed: 1 });
    expect(activity.lastRequests.map(({ path }) => path)).toEqual([
      `/platform/v1/accounts/${key.id}`,
      "/platform/v1/accounts",
      "/platform/v1/transfers",
      "/platform/v1/accounts",
    ]);
    expect(activity.lastRequests[2]).toMatchObject({ reason: "Quarterly tax", errorCode: null });
    expect(proposals).toMatchObject([
      { subject: { sourceName: "Operating", amountInCents: 10_000 }, status: "WAITING" },
    ]);
    expect({ waitingCount, requestsThisMinute }).toEqual({ waitingCount: 1, requestsThisMinute: 3 });
    expect(facts.lastUsedAt).toBe(clock.now().toISOString());
    clock.advance(60_000);
    expect((await look()).requestsThisMinute).toBe(0);
  });

  it("never contains the text of the key", async () => {
    const { key, look, list } = await arrange();
    const shown = JSON.stringify([await look(), await list(true)]);
    expect(shown).toContain(key.text.slice(0, 13));
    expect(shown).not.toContain(key.text.slice(0, 14));
  });

  it("is not found by another organization", async () => {
    const { services, key, time } = await arrange();
    const other = await createTestOrganization(database, services, "Other");
    expect(await getKey({ services, context: other.owner, time: time() }, key.id)).toBeNull();
    const theirs = await listKeys(
      { services, context: other.owner, time: time() },
      { showsRevoked: true, showsAll: false },
    );
    expect(theirs).toMatchObject({ keys: [], accounts: [] });
  });

  it("links a replaced key and its replacement, and says when the old one ends", async () => {
    const { services, clock, key, owner, look, list } = await arrange();
    const { id } = await madeAtOnce(replaceApiKey(services, owner(), { keyId: key.id, grace: "ONE_DAY" }));
    const endsAt = new Date(clock.now().getTime() + 86_400_000).toISOString();
    expect(await look()).toMatchObject({
      key: { state: { kind: "ENDING", endsAt } },
      replacedBy: { href: `/settings/api-keys/${id}` },
      replaces: null,
    });
    expect(await look(id)).toMatchObject({
      replacedBy: null,
      replaces: { href: `/settings/api-keys/${key.id}` },
    });
    clock.advance(86_400_000);
    // Even before the worker has recorded it.
    expect((await look()).key.state).toEqual({
      kind: "REVOKED",
      at: endsAt,
      because: "REPLACED",
      byName: null,
    });
    expect(await list()).toMatchObject({ keys: [{ id }], revokedCount: 1 });
  });
});

describe("the list of keys", () => {
  it("shows revoked ones on request, with who revoked them", async () => {
    const { services, organization, key, owner, list } = await arrange();
    const free = await organization.addKey([moveAnything(false)], "roundup-bot");
    await revokeApiKey(services, owner(), key.id);
    expect(await list()).toMatchObject({ keys: [{ id: free.id, name: "roundup-bot" }], revokedCount: 1 });
    expect((await list(true)).keys).toMatchObject([
      { id: free.id, state: { kind: "ACTIVE" }, createdByName: "Mara" },
      { id: key.id, state: { kind: "REVOKED", because: "MEMBER", byName: "Mara" } },
    ]);
  });
});
