import { describe, expect, it } from "vitest";
import { approvalPlaceSchema, approvalSearchSchema } from "@/lib/contract/search/search-schemas";
import { disconnectAssistant } from "@/lib/core/keys/disconnect-assistant";
import { replaceApiKey } from "@/lib/core/keys/replace-api-key";
import { endApiKey, findKeys, revokeApiKey } from "@/lib/core/keys/revoke-api-key";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { askTransfer, moveAnything } from "@/lib/testing/api";
import { connectTestAssistant } from "@/lib/testing/assistants";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";
import { listProposals } from "@/lib/views/approvals/list-proposals";
import { listAssistants } from "@/lib/views/assistants/list-assistants";
import { readConsent } from "@/lib/views/assistants/read-consent";
import { getKey } from "@/lib/views/keys/get-key";
import { listKeys } from "@/lib/views/keys/list-keys";
import { previewDisconnection } from "@/lib/views/keys/preview-revocation";
import { readLastUse } from "@/lib/views/keys/read-new-key";

const database = useTestDatabase();

async function arrange() {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const { owner } = organization;
  const jonas = await organization.addMember("CO_OWNER", "Jonas");
  const tomas = await organization.addMember("VIEWER", "Tomas Lind");
  const operating = await organization.addAccount({
    name: "Operating",
    type: "POD",
    balanceInCents: 500_000,
  });
  const taxes = await organization.addAccount({ name: "Taxes", type: "POD" });
  const time = { nowAt: clock.now().toISOString(), timeZone: "America/New_York", locale: "en-US" };
  const ask = (context: Parameters<typeof askTransfer>[1], amountInCents = 10_000) =>
    askTransfer(services, context, {
      sourceAccountId: operating,
      destinationAccountId: taxes,
      amountInCents,
    });
  const list = (of: Context<MemberActor> = owner, showsEnded = false) =>
    listAssistants({ services, context: of, time }, { showsEnded });
  const stateOf = async (id: string) => {
    const { rows } = await database.pool.query<{ state: string }>(
      "select state from proposals where id = $1",
      [id],
    );
    return rows[0]?.state;
  };
  const changeRole = (member: Context<MemberActor>, role: string) =>
    database.ownerPool.query("update memberships set role = $2 where user_id = $1", [member.actor.id, role]);
  return {
    ...{ services, clock, organization, owner, jonas, tomas, time, ask, list, stateOf, changeRole },
  };
}

describe("the list of assistants", () => {
  it("shows for each what its member's current role permits, and who may disconnect it", async () => {
    const { owner, tomas, list, changeRole } = await arrange();
    await connectTestAssistant(database, owner);
    await connectTestAssistant(database, tomas, { name: "Ledgerly" });
    const shown = (view: Awaited<ReturnType<typeof list>>) =>
      view.assistants.map(({ name, power, isOwn, canDisconnect }) => [name, power, isOwn, canDisconnect]);
    expect(shown(await list())).toEqual([
      ["Ledgerly", "READS", false, true],
      ["Claude", "ASKS", true, true],
    ]);
    expect(shown(await list(tomas))).toEqual([
      ["Ledgerly", "READS", true, true],
      ["Claude", "ASKS", false, false],
    ]);
    await changeRole(tomas, "CO_OWNER");
    expect(shown(await list())[0]).toEqual(["Ledgerly", "ASKS", false, true]);
    await database.ownerPool.query("delete from memberships where user_id = $1", [tomas.actor.id]);
    expect((await list()).assistants[0]).toMatchObject({ power: "NOTHING", memberRole: null });
  });

  it("shows no keys, no other organization's assistants, and no name that reorders the surrounding text", async () => {
    const { services, organization, owner, list } = await arrange();
    await organization.addKey([moveAnything(true)]);
    const other = await createTestOrganization(database, services, "Other");
    await connectTestAssistant(database, other.owner);
    expect((await list()).assistants).toEqual([]);
    await connectTestAssistant(database, owner, { name: "Bank\u202E of me" });
    expect((await list()).assistants.map(({ name }) => name)).toEqual(["Bank\uFFFD of me"]);
  });

  it("keeps disconnected ones, and shows them on request", async () => {
    const { services, owner, jonas, list } = await arrange();
    const { id } = await connectTestAssistant(database, owner);
    await disconnectAssistant(services, jonas, id);
    expect(await list()).toMatchObject({ assistants: [], endedCount: 1 });
    expect((await list(owner, true)).assistants).toMatchObject([
      { id, state: { kind: "ENDED", because: "MEMBER", byName: "Jonas" }, canDisconnect: false },
    ]);
  });
});

describe("disconnecting an assistant", () => {
  it("denies its waiting proposals, announces that beforehand, and takes effect at once", async () => {
    const { services, owner, ask, list, stateOf } = await arrange();
    const assistant = await connectTestAssistant(database, owner);
    const proposals = [await ask(assistant.context), await ask(assistant.context)];
    expect(await previewDisconnection({ services, context: owner }, assistant.id)).toMatchObject({
      denied: { count: 2, totalInCents: 20_000 },
      stopped: { count: 0 },
    });
    expect(await disconnectAssistant(services, owner, assistant.id)).toEqual({
      deniedProposals: 2,
      stoppedTransfers: 0,
    });
    for (const { id } of proposals) expect(await stateOf(id)).toBe("REVOKED");
    expect((await list(owner, true)).assistants).toMatchObject([{ approvedCount: 0, decidedCount: 2 }]);
    await expect(ask(assistant.context)).rejects.toThrow("This assistant was disconnected.");
    expect(await disconnectAssistant(services, owner, assistant.id)).toBeNull();
  });

  it("is for owners and co-owners, and for the member who connected it, even one who is now read-only", async () => {
    const { services, owner, jonas, tomas, changeRole } = await arrange();
    const ofOwner = await connectTestAssistant(database, owner);
    const ofTomas = await connectTestAssistant(database, tomas);
    const ofJonas = await connectTestAssistant(database, jonas);
    const refused = { code: "ACCESS_DENIED" };
    await expect(disconnectAssistant(services, tomas, ofOwner.id)).rejects.toMatchObject(refused);
    await expect(previewDisconnection({ services, context: tomas }, ofOwner.id)).rejects.toMatchObject(
      refused,
    );
    expect(await disconnectAssistant(services, tomas, ofTomas.id)).not.toBeNull();
    await changeRole(jonas, "VIEWER");
    const lowered = { ...jonas, actor: { ...jonas.actor, role: "VIEWER" as const } };
    expect(await disconnectAssistant(services, lowered, ofJonas.id)).not.toBeNull();
    // The role comes from the database, not from the page that the member opened before.
    await expect(disconnectAssistant(services, jonas, ofOwner.id)).rejects.toMatchObject({
      code: "ACCESS_DENIED",
    });
    expect(await disconnectAssistant(services, owner, ofOwner.id)).not.toBeNull();
  });

  it("finds neither another organization's assistant nor a key", async () => {
    const { services, organization, owner } = await arrange();
    const other = await createTestOrganization(database, services, "Other");
    const theirs = await connectTestAssistant(database, other.owner);
    const key = await organization.addKey([moveAnything(true)]);
    for (const id of [theirs.id, key.id]) {
      await expect(disconnectAssistant(services, owner, id)).rejects.toMatchObject({
        code: "INVALID_PARAMETERS",
      });
      await expect(previewDisconnection({ services, context: owner }, id)).rejects.toMatchObject({
        code: "INVALID_PARAMETERS",
      });
    }
    expect((await findKeys(services.pool, key.id))[0]?.isRevoked).toBe(false);
  });
});

describe("the pages of keys", () => {
  it("neither show nor change an assistant", async () => {
    const { services, owner, time } = await arrange();
    const { id } = await connectTestAssistant(database, owner);
    expect(
      (await listKeys({ services, context: owner, time }, { showsRevoked: true, showsAll: false })).keys,
    ).toEqual([]);
    expect(await getKey({ services, context: owner, time }, id)).toBeNull();
    expect(await readLastUse({ services, context: owner }, id)).toBeUndefined();
    await expect(revokeApiKey(services, owner, id)).rejects.toMatchObject({ code: "INVALID_PARAMETERS" });
    await expect(replaceApiKey(services, owner, { keyId: id, grace: "NONE" })).rejects.toMatchObject({
      code: "INVALID_PARAMETERS",
    });
  });
});

it("an operator finds an assistant by its id, marked as one, and ends it", async () => {
  const { services, owner, list } = await arrange();
  const { id } = await connectTestAssistant(database, owner);
  expect(await findKeys(services.pool, id)).toMatchObject([
    { kind: "ASSISTANT", name: "Claude", prefix: null, clientHost: "claude.ai", createdByName: "Mara" },
  ]);
  const { organizationId, now } = owner;
  await endApiKey(services.pool, { organizationId, keyId: id, now }, { because: "OPERATOR" });
  expect((await list(owner, true)).assistants).toMatchObject([
    { state: { because: "OPERATOR", byName: null } },
  ]);
});

it("the inbox distinguishes an assistant from a key", async () => {
  const { services, organization, owner, ask, time } = await arrange();
  const key = await organization.addKey([moveAnything(true)], "claude-taxes");
  const assistant = await connectTestAssistant(database, owner);
  await ask(key.context);
  await ask(assistant.context);
  const { waiting } = await listProposals(
    { services, context: owner, time },
    approvalSearchSchema.parse({}),
    approvalPlaceSchema.parse({}),
  );
  expect(waiting.map(({ requesterKind, requesterName }) => [requesterKind, requesterName])).toEqual([
    ["API_KEY", "claude-taxes"],
    ["ASSISTANT", "Claude"],
  ]);
});

describe("the consent page", () => {
  const request = {
    uid: "uid",
    clientId: "https://claude.ai/oauth/client",
    clientName: "Claude",
    redirectHost: "claude.ai",
    isLoopback: false,
    knownBy: "METADATA_DOCUMENT" as const,
    clientIdHost: "claude.ai",
    keepsAccess: true,
  };

  it("says what the member's role permits, who else approves, and what the assistant would see", async () => {
    const { services, clock, owner, tomas, time } = await arrange();
    const read = (member: Context<MemberActor>) => {
      const organization = {
        id: member.organizationId,
        name: "Northwind",
        timeZone: "UTC",
        clockOffsetMs: 0,
      };
      const organizations = [organization, { id: "other", name: "Other" }];
      const asked = { ...request, askedAt: clock.now() };
      return readConsent({ services, context: member, time }, asked, { organization, organizations });
    };
    expect(await read(owner)).toMatchObject({
      power: "ASKS",
      otherDeciders: ["Jonas"],
      before: null,
      organization: { name: "Northwind", accountCount: 2, ruleCount: 0 },
      otherOrganizations: [{ id: "other", name: "Other" }],
    });
    await connectTestAssistant(database, owner);
    expect(await read(tomas)).toMatchObject({
      power: "READS",
      otherDeciders: ["Mara", "Jonas"],
      before: { byName: "Mara", isByViewer: false, isConnected: true },
    });
  });

  it("identifies a program by its id: one that reuses another's name is new", async () => {
    const { services, clock, owner, time } = await arrange();
    await connectTestAssistant(database, owner);
    const organization = { id: owner.organizationId, name: "Northwind", timeZone: "UTC", clockOffsetMs: 0 };
    const impostor = { ...request, clientId: "dyn_other", askedAt: clock.now() };
    const view = await readConsent({ services, context: owner, time }, impostor, {
      organization,
      organizations: [organization],
    });
    expect(view.before).toBeNull();
  });
});
