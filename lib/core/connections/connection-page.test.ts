import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { beginLink, beginSignInAgain } from "@/lib/core/connections/begin-connecting";
import { connectAccounts } from "@/lib/core/connections/connect-accounts";
import { disconnectConfirmed } from "@/lib/core/connections/disconnect";
import { playInstitution } from "@/lib/core/connections/play-institution";
import { refreshDueConnections } from "@/lib/core/connections/refresh-due-connections";
import { NotConfirmed } from "@/lib/core/sign-in/not-confirmed";
import { createEncryption } from "@/lib/platform/encryption";
import { createPlaidAggregator } from "@/lib/ports/aggregator/plaid/create-plaid-aggregator";
import { createSandboxAggregator } from "@/lib/ports/aggregator/sandbox/create-sandbox-aggregator";
import { createSandboxInstitutions } from "@/lib/ports/aggregator/sandbox/sandbox-institutions";
import { useTestDatabase } from "@/lib/testing/database";
import { type FakePlaid, startFakePlaid } from "@/lib/testing/fake-plaid";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";
import { readConnectionPage } from "@/lib/views/connections/read-connection-page";

const database = useTestDatabase();

const CHOICE = {
  kind: "CHOICE" as const,
  institutionId: "sbx_first_harbor",
  templates: ["first_harbor_checking"],
};

async function arrange() {
  const { services, clock } = createTestServices(database);
  const aggregator = createSandboxAggregator(database.pool);
  const institutions = createSandboxInstitutions(database.pool);
  const organization = await createTestOrganization(database, services);
  const owner = () => ({ ...organization.owner, now: clock.now() });
  const { connectionId } = await connectAccounts(services, aggregator, owner(), CHOICE);
  const refresh = () => refreshDueConnections(services, aggregator, 10);
  await refresh();
  const read = () => readConnectionPage({ services, context: owner() }, aggregator, connectionId);
  return { services, clock, aggregator, institutions, organization, owner, connectionId, refresh, read };
}

describe("a connection's page", () => {
  it("shows since when a bank has required a sign-in, and recovers after it", async () => {
    const { services, clock, aggregator, institutions, owner, connectionId, refresh, read } = await arrange();
    expect(await read()).toMatchObject({
      status: "ACTIVE",
      failingSince: null,
      accounts: [{ isKnown: true }],
      heldUp: { proposals: [], rules: [] },
    });
    clock.advance(86_400_000);
    await playInstitution(services, institutions, owner(), connectionId, {
      kind: "FAIL",
      fault: { kind: "SIGN_IN", code: "ITEM_LOGIN_REQUIRED" },
    });
    await refresh();
    const failed = await read();
    expect(failed).toMatchObject({
      status: "NEEDS_SIGN_IN",
      errorCode: "ITEM_LOGIN_REQUIRED",
      failingSince: clock.now().toISOString(),
      accounts: [{ isKnown: false }],
    });
    expect(failed?.accounts[0]?.balanceInCents).not.toBeNull();
    expect(failed?.days.slice(-2).map(({ state }) => state)).toEqual(["SUCCEEDED", "FAILED"]);

    expect(await beginSignInAgain(services, aggregator, owner(), connectionId)).toEqual({
      kind: "SIGNED_IN",
    });
    await refresh();
    expect(await read()).toMatchObject({
      status: "ACTIVE",
      failingSince: null,
      accounts: [{ isKnown: true }],
    });
    expect((await read())?.days.at(-1)?.state).toBe("SUCCEEDED");
  });

  it("is readable by every member, changeable by owners and co-owners, and invisible to other organizations", async () => {
    const { services, aggregator, organization, connectionId } = await arrange();
    const viewer = await organization.addMember("VIEWER", "Vera");
    expect(await readConnectionPage({ services, context: viewer }, aggregator, connectionId)).toMatchObject({
      viewer: { canDecide: false },
    });
    const denied = { code: "ACCESS_DENIED" };
    for (const role of ["VIEWER", "ACCOUNTANT"] as const) {
      const member = await organization.addMember(role, role);
      await expect(beginSignInAgain(services, aggregator, member, connectionId)).rejects.toMatchObject(
        denied,
      );
      await expect(disconnectConfirmed(services, member, connectionId)).rejects.toMatchObject(denied);
    }
    const stranger = (await createTestOrganization(database, services)).owner;
    expect(await readConnectionPage({ services, context: stranger }, aggregator, connectionId)).toBeNull();
    expect(await disconnectConfirmed(services, stranger, connectionId)).toBe(false);
    await expect(beginSignInAgain(services, aggregator, stranger, connectionId)).rejects.toMatchObject({
      code: "INVALID_PARAMETERS",
    });
  });

  it("disconnects only after a recent confirmation", async () => {
    const { services, clock, owner, connectionId, read } = await arrange();
    clock.advance(3_600_000);
    await expect(disconnectConfirmed(services, owner(), connectionId)).rejects.toThrow(NotConfirmed);
    expect((await read())?.status).toBe("ACTIVE");
    clock.advance(-3_600_000);
    expect(await disconnectConfirmed(services, owner(), connectionId)).toBe(true);
    expect(await read()).toMatchObject({ status: "DISCONNECTED", accounts: [{ isKnown: false }] });
  });

  it("says so when the institution does not offer a chosen account", async () => {
    const { services, aggregator, owner } = await arrange();
    const made = { ...CHOICE, templates: ["first_harbor_vault"] };
    await expect(connectAccounts(services, aggregator, owner(), made)).rejects.toMatchObject({
      code: "INVALID_PARAMETERS",
      message:
        "The institution no longer offers an account that you chose. Nothing was connected. Choose again from its list.",
    });
    await expect(
      connectAccounts(services, aggregator, owner(), { kind: "LINK", publicToken: "public-made-up" }),
    ).rejects.toMatchObject({ code: "INVALID_PARAMETERS" });
    await expect(beginLink(services, aggregator, owner())).rejects.toMatchObject({
      code: "INVALID_PARAMETERS",
    });
  });
});

describe("connecting through Plaid's dialog", () => {
  let plaid: FakePlaid;
  beforeAll(async () => {
    plaid = await startFakePlaid();
  });
  afterAll(() => plaid.close());

  const account = {
    account_id: "BxBXxLj1m4HMXBm9WZZmCWVbPjX16EHwv99vp",
    balances: {
      available: 100,
      current: 110,
      iso_currency_code: "USD",
      limit: null,
      unofficial_currency_code: null,
    },
    mask: "0000",
    name: "Plaid Checking",
    official_name: null,
    subtype: "checking",
    type: "depository",
  };
  let exchanges = 0;
  beforeEach(() => {
    exchanges = 0;
    plaid.answer("/link/token/create", {
      json: { link_token: "link-sandbox-1", expiration: "2026-01-15T21:00:00Z", request_id: "r1" },
    });
    plaid.answer("/item/public_token/exchange", () => {
      exchanges += 1;
      return exchanges === 1
        ? { json: { access_token: "access-1", item_id: `item-${exchanges}`, request_id: "r2" } }
        : {
            status: 400,
            json: {
              error_type: "INVALID_INPUT",
              error_code: "INVALID_PUBLIC_TOKEN",
              error_message: "could not find matching public token",
              display_message: null,
              request_id: "r3",
            },
          };
    });
    plaid.answer("/item/get", {
      json: { item: { institution_id: "ins_1", institution_name: "Real Bank" }, request_id: "r4" },
    });
    plaid.answer("/accounts/get", { json: { accounts: [account], item: {}, request_id: "r5" } });
    plaid.answer("/accounts/balance/get", { json: { accounts: [account], item: {}, request_id: "r6" } });
  });

  async function arrangePlaid() {
    const { services } = createTestServices(database);
    const organization = await createTestOrganization(database, services);
    const aggregator = createPlaidAggregator({
      asksForNumbers: false,
      clientId: "client",
      secret: "secret",
      environment: "sandbox",
      redirectUri: null,
      baseUrl: plaid.baseUrl,
      encryption: createEncryption("a secret of thirty-two characters", "aggregator access"),
    });
    return { services, organization, aggregator, owner: organization.owner };
  }

  it("takes the dialog's token once, stores the access encrypted, and signs in again with the same access", async () => {
    const { services, aggregator, owner, organization } = await arrangePlaid();
    expect(await beginLink(services, aggregator, owner)).toEqual({ linkToken: "link-sandbox-1" });
    const proof = { kind: "LINK" as const, publicToken: "public-1" };
    const { connectionId } = await connectAccounts(services, aggregator, owner, proof);
    await expect(connectAccounts(services, aggregator, owner, proof)).rejects.toMatchObject({
      code: "INVALID_PARAMETERS",
      message: expect.stringContaining("INVALID_PUBLIC_TOKEN"),
    });
    expect(await readConnectionPage({ services, context: owner }, aggregator, connectionId)).toMatchObject({
      institutionName: "Real Bank",
      isServed: true,
      isSandbox: false,
      accounts: [{ name: "Plaid Checking", balanceInCents: 11_000 }],
    });
    const { rows } = await database.ownerPool.query<{ kept: string }>(
      "select row_to_json(c)::text || encode(sealed_access_token, 'escape') as kept from connections c where organization_id = $1",
      [organization.organizationId],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.kept).not.toContain("access-1");

    expect(await beginSignInAgain(services, aggregator, owner, connectionId)).toEqual({
      kind: "LINK",
      linkToken: "link-sandbox-1",
    });
    expect(plaid.requests.at(-1)?.body).toMatchObject({ access_token: "access-1" });
    const sandbox = createSandboxAggregator(database.pool);
    expect((await readConnectionPage({ services, context: owner }, sandbox, connectionId))?.isServed).toBe(
      false,
    );
  });

  it("opens for owners and co-owners only", async () => {
    const { services, aggregator, organization } = await arrangePlaid();
    const before = plaid.requests.length;
    for (const role of ["VIEWER", "ACCOUNTANT"] as const) {
      const member = await organization.addMember(role, role);
      await expect(beginLink(services, aggregator, member)).rejects.toMatchObject({ code: "ACCESS_DENIED" });
    }
    expect(plaid.requests).toHaveLength(before);
  });
});
