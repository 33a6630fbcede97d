import { describe, expect, it } from "vitest";
import { decideProposal } from "@/lib/core/approvals/decide-proposal";
import { authenticateApiKey } from "@/lib/core/keys/authenticate-api-key";
import { endReplacedKeys, replaceApiKey } from "@/lib/core/keys/replace-api-key";
import { revokeApiKey } from "@/lib/core/keys/revoke-api-key";
import { NotConfirmed } from "@/lib/core/sign-in/not-confirmed";
import { bookDueTransfers } from "@/lib/core/transfers/book-due-transfers";
import { askUnbooked, moveAnything, readEverything } from "@/lib/testing/api";
import { createConfirmedApiKey, madeAtOnce } from "@/lib/testing/as-entered";
import { auditBooks } from "@/lib/testing/conservation";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { BANK_WINDOW_MS } from "@/lib/testing/sandbox";
import { createTestServices } from "@/lib/testing/services";
import { getApproval } from "@/lib/views/approvals/get-approval";
import { previewRevocation } from "@/lib/views/keys/preview-revocation";

const HOUR_MS = 3_600_000;

const database = useTestDatabase();

async function arrange({ needsApproval = true } = {}) {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const operating = await organization.addAccount({
    name: "Operating",
    type: "POD",
    balanceInCents: 1_000_000,
  });
  const taxes = await organization.addAccount({ name: "Taxes", type: "POD" });
  const checking = await organization.addAccount({ name: "Checking", type: "EXTERNAL_ACCOUNT" });
  const key = await organization.addKey([...readEverything, moveAnything(needsApproval)], "claude-taxes");
  const ask = (amountInCents = 10_000, destinationAccountId = taxes, by = key) =>
    askUnbooked(services, by.context, { sourceAccountId: operating, destinationAccountId, amountInCents });
  const owner = () => ({ ...organization.owner, now: clock.now() });
  const statuses = async () => {
    const { rows } = await database.ownerPool.query<{ id: string; status: string; held: number }>(
      "select id, status, hold_in_cents as held from transfers where organization_id = $1 and proposed_by_kind = 'API_KEY' order by id",
      [organization.organizationId],
    );
    return rows.map((row) => row.status);
  };
  const expectCleanBooks = async () =>
    expect(await auditBooks(database, organization.organizationId)).toMatchObject({
      wrongLedgers: [],
      wrongHolds: [],
      negative: [],
    });
  return {
    services,
    clock,
    organization,
    operating,
    taxes,
    checking,
    key,
    ask,
    owner,
    statuses,
    expectCleanBooks,
  };
}

describe("revoking a key", () => {
  it("denies waiting proposals and stops unsent transfers, as announced, and leaves other keys alone", async () => {
    const { services, organization, checking, key, ask, owner, statuses, expectCleanBooks } = await arrange();
    const free = await organization.addKey([moveAnything(false)], "roundup-bot");
    await ask(10_000);
    await ask(20_000);
    await ask(30_000, undefined, free);
    await ask(40_000, checking, free);
    const preview = (id: string) =>
      previewRevocation(services.pool, organization.organizationId, id, services.clock.now());
    expect(await preview(key.id)).toMatchObject({
      denied: {
        count: 2,
        totalInCents: 30_000,
        listed: [{ subject: { amountInCents: 20_000 } }, { subject: { sourceName: "Operating" } }],
      },
      stopped: { count: 0 },
    });
    expect(await preview(free.id)).toMatchObject({
      denied: { count: 0 },
      stopped: { count: 2, totalInCents: 70_000 },
    });

    expect(await revokeApiKey(services, owner(), key.id)).toEqual({
      deniedProposals: 2,
      stoppedTransfers: 0,
    });
    expect(await statuses()).toEqual(["APPROVAL_DENIED", "APPROVAL_DENIED", "PROCESSING", "PROCESSING"]);
    expect(await revokeApiKey(services, owner(), free.id)).toEqual({
      deniedProposals: 0,
      stoppedTransfers: 2,
    });
    expect(await statuses()).toEqual(["APPROVAL_DENIED", "APPROVAL_DENIED", "CANCELLED", "CANCELLED"]);
    await bookDueTransfers(services, 10);
    await expectCleanBooks();
    expect(await authenticateApiKey(services, key.text)).toBeNull();
    expect(await revokeApiKey(services, owner(), key.id)).toBeNull();
  });

  it("leaves alone transfers that the bank may have, and booked ones", async () => {
    const { services, clock, checking, key, ask, owner, statuses, expectCleanBooks } = await arrange({
      needsApproval: false,
    });
    await ask(10_000);
    await bookDueTransfers(services, 10);
    await ask(20_000, checking);
    clock.advance(BANK_WINDOW_MS);
    await services.pool.query("select * from lease_bank_orders($1, 60000, 10)", [services.clock.now()]);
    await ask(30_000, checking);
    expect(await revokeApiKey(services, owner(), key.id)).toEqual({
      deniedProposals: 0,
      stoppedTransfers: 1,
    });
    expect(await statuses()).toEqual(["COMPLETE", "PROCESSING", "CANCELLED"]);
    await expectCleanBooks();
  });

  it("is shown on the proposal, with who revoked it", async () => {
    const { services, organization, key, ask, owner } = await arrange();
    const { id } = await ask();
    await revokeApiKey(services, owner(), key.id);
    const time = { nowAt: services.clock.now().toISOString(), timeZone: "America/New_York", locale: "en-US" };
    expect(await getApproval({ services, context: owner(), time }, id)).toMatchObject({
      status: "REVOKED",
      decision: null,
      history: [{ kind: "PROPOSED" }, { kind: "REVOKED", byName: organization.owner.actor.name }],
    });
  });

  it("lets a proposal older than 24 hours expire instead of denying it", async () => {
    const { services, clock, key, ask, owner, statuses } = await arrange();
    await ask();
    clock.advance(25 * HOUR_MS);
    expect(await revokeApiKey(services, owner(), key.id)).toEqual({
      deniedProposals: 0,
      stoppedTransfers: 0,
    });
    expect(await statuses()).toEqual(["APPROVAL_PENDING"]);
  });

  it.each(["VIEWER", "ACCOUNTANT"] as const)("is refused by the server for a %s", async (role) => {
    const { services, organization, key } = await arrange();
    const member = await organization.addMember(role, "Tomas");
    await expect(revokeApiKey(services, member, key.id)).rejects.toMatchObject({ code: "ACCESS_DENIED" });
    // Also for a member whose role was lowered since the page was loaded.
    const former = { ...member, actor: { ...member.actor, role: "OWNER" as const } };
    await expect(revokeApiKey(services, former, key.id)).rejects.toMatchObject({ code: "ACCESS_DENIED" });
    expect(await authenticateApiKey(services, key.text)).not.toBeNull();
  });

  it("is refused for the owner of another organization", async () => {
    const { services, key } = await arrange();
    const other = await createTestOrganization(database, services, "Other");
    await expect(revokeApiKey(services, other.owner, key.id)).rejects.toMatchObject({
      code: "INVALID_PARAMETERS",
    });
    expect(await authenticateApiKey(services, key.text)).not.toBeNull();
  });
});

describe("creating a key in the dashboard", () => {
  it("requires step-up less than five minutes old", async () => {
    const { services, clock, owner } = await arrange();
    const input = { name: "claude-taxes", permissions: [moveAnything(true)] };
    expect(await createConfirmedApiKey(services, owner(), input)).toMatchObject({
      text: expect.stringMatching(/^sluice_/),
    });
    clock.advance(5 * 60_000);
    await expect(createConfirmedApiKey(services, owner(), input)).rejects.toThrow(NotConfirmed);
  });

  it("rejects foreign accounts, closed accounts, and a key without permissions", async () => {
    const { services, owner, taxes } = await arrange();
    const other = await createTestOrganization(database, services, "Other");
    const foreign = await other.addAccount({ name: "Theirs", type: "POD" });
    const make = (permissions: Parameters<typeof createConfirmedApiKey>[2]["permissions"]) =>
      createConfirmedApiKey(services, owner(), { name: "k", permissions });
    const refused = { code: "INVALID_PARAMETERS" };
    await expect(make([])).rejects.toMatchObject(refused);
    await expect(make([{ type: "READ_ACCOUNTS", accounts: [taxes, foreign] }])).rejects.toMatchObject(
      refused,
    );
    await expect(make([{ type: "READ_TRANSFERS", accounts: [foreign] }])).rejects.toMatchObject(refused);
    await expect(
      make([{ type: "MANUAL_TRANSFER", entries: [{ source: "ANY", target: foreign }] }]),
    ).rejects.toMatchObject(refused);
    await expect(make([{ type: "READ_ACCOUNTS", accounts: [taxes] }])).resolves.toBeTruthy();
    await services.pool.query("update accounts set deleted_at = $2 where id = $1", [
      taxes,
      services.clock.now(),
    ]);
    await expect(make([{ type: "READ_ACCOUNTS", accounts: [taxes] }])).rejects.toMatchObject(refused);
  });

  it.each(["VIEWER", "ACCOUNTANT"] as const)("is refused for a %s", async (role) => {
    const { services, organization } = await arrange();
    const member = await organization.addMember(role, "Tomas");
    const input = { name: "mine", permissions: [moveAnything(true)] };
    await expect(createConfirmedApiKey(services, member, input)).rejects.toMatchObject({
      code: "ACCESS_DENIED",
    });
  });
});

describe("replacing a key", () => {
  it("creates one with the same name and permissions, and ends the old one after its grace period", async () => {
    const { services, clock, key, ask, owner, statuses } = await arrange();
    await ask();
    const replacement = await madeAtOnce(
      replaceApiKey(services, owner(), { keyId: key.id, grace: "ONE_HOUR" }),
    );
    const [old, young] = [
      await authenticateApiKey(services, key.text),
      await authenticateApiKey(services, replacement.text),
    ];
    expect(young?.actor).toMatchObject({ name: "claude-taxes", permissions: old?.actor.permissions });

    clock.advance(HOUR_MS - 1);
    expect(await endReplacedKeys(services, 10)).toBe(0);
    expect(await authenticateApiKey(services, key.text)).not.toBeNull();
    clock.advance(1);
    // At once, whether or not the worker has run.
    expect(await authenticateApiKey(services, key.text)).toBeNull();
    expect(await statuses()).toEqual(["APPROVAL_PENDING"]);
    expect(await endReplacedKeys(services, 10)).toBe(1);
    expect(await statuses()).toEqual(["APPROVAL_DENIED"]);
    expect(await endReplacedKeys(services, 10)).toBe(0);
    expect(await authenticateApiKey(services, replacement.text)).not.toBeNull();
  });

  it("without a grace period ends the old one immediately", async () => {
    const { services, key, ask, owner, statuses } = await arrange();
    await ask();
    await replaceApiKey(services, owner(), { keyId: key.id, grace: "NONE" });
    expect(await authenticateApiKey(services, key.text)).toBeNull();
    expect(await statuses()).toEqual(["APPROVAL_DENIED"]);
  });

  it("leaves no moment when a proposal of an ended key can be approved", async () => {
    const { services, clock, key, ask, owner, statuses } = await arrange();
    const { id } = await ask();
    await replaceApiKey(services, owner(), { keyId: key.id, grace: "ONE_HOUR" });
    clock.advance(HOUR_MS);
    const time = { nowAt: clock.now().toISOString(), timeZone: "America/New_York", locale: "en-US" };
    const actor = { ...owner().actor, authenticatedAt: clock.now() };
    const view = await getApproval({ services, context: owner(), time }, id);
    expect(
      await decideProposal(
        services,
        { ...owner(), actor },
        {
          proposalId: id,
          decision: "APPROVE",
          digest: view?.digest ?? "",
          note: null,
          confirmation: { kind: "NONE" },
        },
      ),
    ).toMatchObject({ kind: "REFUSED" });
    expect(await statuses()).toEqual(["APPROVAL_PENDING"]);
  });

  it("happens once, for an active key, by an owner with step-up", async () => {
    const { services, clock, organization, key, owner } = await arrange();
    const replace = (context = owner()) =>
      replaceApiKey(services, context, { keyId: key.id, grace: "ONE_DAY" });
    const viewer = await organization.addMember("VIEWER", "Tomas");
    await expect(replace(viewer)).rejects.toMatchObject({ code: "ACCESS_DENIED" });
    const rivals = await Promise.allSettled([replace(), replace(), replace(), replace()]);
    expect(rivals.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await revokeApiKey(services, owner(), key.id);
    await expect(replace()).rejects.toMatchObject({ code: "INVALID_PARAMETERS" });
    clock.advance(5 * 60_000);
    await expect(replace()).rejects.toThrow(NotConfirmed);
  });
});
