import { describe, expect, it } from "vitest";
import { connectAccounts } from "@/lib/core/connections/connect-accounts";
import { disconnect } from "@/lib/core/connections/disconnect";
import { createSandboxAggregator } from "@/lib/ports/aggregator/sandbox/create-sandbox-aggregator";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";
import { readConnectPage, readOffer } from "@/lib/views/connections/read-connect-page";

const database = useTestDatabase();

const INSTITUTION = "sbx_first_harbor";

async function arrange() {
  const { services } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const aggregator = createSandboxAggregator(database.pool);
  const connect = () =>
    connectAccounts(services, aggregator, organization.owner, {
      kind: "CHOICE",
      institutionId: INSTITUTION,
      templates: ["first_harbor_checking"],
    });
  const { owner } = organization;
  const read = async (query: string) => {
    const view = await readConnectPage({ services, context: owner }, aggregator, query);
    if (view.kind !== "INSTITUTIONS") throw new Error(`An owner is answered ${view.kind}`);
    return view;
  };
  const offer = (institutionId: string) => readOffer({ services, context: owner }, aggregator, institutionId);
  return { services, organization, owner, aggregator, connect, read, offer };
}

describe("choosing an institution", () => {
  it("finds institutions by part of the name, and nothing for an unknown name", async () => {
    const { read } = await arrange();
    expect((await read("MERID")).institutions.map(({ name }) => name)).toEqual(["Meridian Credit Union"]);
    expect((await read("no such bank")).institutions).toEqual([]);
    expect((await read("")).institutions.length).toBeGreaterThan(3);
  });

  it("lists what is already connected, so that no one connects it twice by mistake", async () => {
    const { services, owner, connect, read, offer } = await arrange();
    const { connectionId } = await connect();
    const named = async () => [
      (await read("harbor")).institutions[0]?.connectedNames,
      await offer(INSTITUTION),
    ];
    expect(await named()).toMatchObject([["Harbor Checking"], { connectedNames: ["Harbor Checking"] }]);
    expect((await read("summit")).institutions[0]?.connectedNames).toEqual([]);
    await disconnect(services, owner, connectionId);
    expect(await named()).toMatchObject([[], { connectedNames: [] }]);
  });

  it("does not reveal another organization's connections", async () => {
    await (await arrange()).connect();
    const other = await arrange();
    expect((await other.read("harbor")).institutions[0]?.connectedNames).toEqual([]);
  });

  it("offers the institution's accounts, and explains the refusal of an unknown institution", async () => {
    const { offer } = await arrange();
    expect(await offer(INSTITUTION)).toMatchObject({
      kind: "CHOOSE",
      institutionName: "First Harbor",
      accounts: [
        { template: "first_harbor_checking", name: "Harbor Checking" },
        { name: expect.any(String) },
      ],
    });
    expect(await offer("../../etc")).toMatchObject({
      kind: "REFUSED",
      message: "Unknown institution. Choose one from the list.",
    });
  });

  it("is for owners and co-owners: viewers and accountants get a notice, and the provider is not called", async () => {
    const { services, organization, aggregator } = await arrange();
    const silent = {
      ...aggregator,
      searchInstitutions: () => Promise.reject(new Error("asked")),
      beginConnecting: () => Promise.reject(new Error("asked")),
    };
    for (const role of ["VIEWER", "ACCOUNTANT"] as const) {
      const member = await organization.addMember(role, role);
      expect(await readConnectPage({ services, context: member }, silent, "")).toEqual({
        kind: "FOR_OWNERS",
      });
      expect(await readOffer({ services, context: member }, silent, INSTITUTION)).toEqual({
        kind: "FOR_OWNERS",
      });
    }
    const coOwner = await organization.addMember("CO_OWNER", "Jonas");
    expect(await readConnectPage({ services, context: coOwner }, aggregator, "")).toMatchObject({
      kind: "INSTITUTIONS",
    });
  });

  it("offers no sandbox institution with Plaid configured, and names Plaid as the provider", async () => {
    const { services, owner, aggregator } = await arrange();
    const plaid = { ...aggregator, provider: "PLAID" as const, isSandbox: false };
    const reported = { kind: "PROVIDERS_DIALOG", providerName: "Plaid" };
    expect(await readConnectPage({ services, context: owner }, plaid, "")).toEqual(reported);
    expect(await readOffer({ services, context: owner }, plaid, INSTITUTION)).toEqual(reported);
  });
});
