import { beforeAll, describe, expect, test } from "vitest";
import { activityPlaceSchema, activitySearchSchema } from "@/lib/contract/search/search-schemas";
import { connectAccounts } from "@/lib/core/connections/connect-accounts";
import { atNoonOf } from "@/lib/core/sandbox/move-clock";
import { createSandboxAggregator } from "@/lib/ports/aggregator/sandbox/create-sandbox-aggregator";
import { createTestApi, moveAnything } from "@/lib/testing/api";
import { createProofWorld, type ProofWorld } from "@/lib/testing/api-proof/world";
import { createTestCards } from "@/lib/testing/cards";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestSandbox } from "@/lib/testing/sandbox";
import { listActivity } from "@/lib/views/activity/list-activity";
import { getApproval } from "@/lib/views/approvals/get-approval";
import { readDecided } from "@/lib/views/approvals/list-proposals";
import { readTransferDetail } from "@/lib/views/movements/read-transfer-detail";

/**
 * An integrator's test drives a sandbox without a browser. Risks: a program that decides where money is real, a decision that
 * looks like a person's, and a key that drives what it may not.
 */
const PATHS = ["clock", "deposits", "card-purchases", "outside-transactions", "returns", "decisions"];

const database = useTestDatabase();
let world: ProofWorld;
let driver: string;
let call: ReturnType<typeof createTestApi>;
beforeAll(async () => {
  world = await createProofWorld(database);
  call = createTestApi(world.services, createTestSandbox(world.services));
  driver = (await world.own.addKey([{ type: "CONTROL_SANDBOX" }], "ci-tests")).text;
});

const drive = (path: string, body: object) => call(driver, "POST", `/sandbox/${path}`, { body });

async function propose(amountInCents: number) {
  const { text } = await world.own.addKey([moveAnything(true)]);
  const { operating: sourceAccountId, taxes: destinationAccountId } = world.own.ids;
  const made = await call(text, "POST", "/transfers", {
    body: { sourceAccountId, destinationAccountId, amountInCents },
  });
  const { id } = Object(made.body).data;
  const read = async () => Object((await call(text, "GET", `/transfers/${id}`)).body).data;
  return { id, read };
}

test("a test person approves, and what was due is carried out before the answer", async () => {
  const { id, read } = await propose(12_300);
  const { status, body } = await drive("decisions", { proposalId: id, decision: "APPROVE" });
  expect([status, Object(body).data.outcome]).toEqual([200, "APPROVED"]);
  expect(await read()).toMatchObject({
    status: "COMPLETE",
    decision: { outcome: "APPROVED", byTestPerson: true },
  });
});

test("a test person denies with a reason, and nobody can decide it again", async () => {
  const { id, read } = await propose(12_400);
  const reason = { kind: "TOO_MUCH", text: "Half of it" };
  expect((await drive("decisions", { proposalId: id, decision: "DENY", reason })).status).toBe(200);
  expect(await read()).toMatchObject({
    status: "APPROVAL_DENIED",
    decision: { outcome: "DENIED", reason, byTestPerson: true },
  });
  const again = await drive("decisions", { proposalId: id, decision: "APPROVE" });
  expect([again.status, Object(again.body).error.code]).toEqual([400, "INVALID_PARAMETERS"]);
});

test("no page says that a member decided what a test person did", async () => {
  const { services, own } = world;
  const { id } = await propose(12_600);
  await drive("decisions", { proposalId: id, decision: "APPROVE" });
  const time = { nowAt: services.clock.now().toISOString(), timeZone: "America/New_York", locale: "en-US" };
  // Its rights carry the decision out.
  const reading = { services, context: own.owner, time };
  const seen = { byName: "Test person", byViewer: false };
  const approval = await getApproval(reading, id);
  expect(approval?.decision).toMatchObject({ ...seen, method: "TEST_PERSON" });
  expect(approval?.history).toContainEqual(expect.objectContaining({ kind: "APPROVED", ...seen }));
  const detail = await readTransferDetail({ services, context: own.owner, time }, id);
  expect(detail?.life).toContainEqual(expect.objectContaining({ kind: "APPROVED", ...seen }));
  const decided = await readDecided(services.pool, own.owner, [id]);
  expect(decided.map(({ decision }) => decision)).toMatchObject([seen]);
  const { rows } = await listActivity(reading, activitySearchSchema.parse({}), activityPlaceSchema.parse({}));
  expect(JSON.stringify(rows)).not.toContain(id);
});

test("the decision of a test person stays marked, also in the database, whose role cannot change it back", async () => {
  const { id } = await propose(12_500);
  await drive("decisions", { proposalId: id, decision: "APPROVE" });
  const { rows } = await database.pool.query(
    "select decision_method from proposals where organization_id = $1 and id = $2",
    [world.own.organizationId, id],
  );
  expect(rows).toEqual([{ decision_method: "TEST_PERSON" }]);
  const { rows: entries } = await database.ownerPool.query(
    "select count(*)::int as n from audit_entries where organization_id = $1 and path like '%/sandbox/decisions'",
    [world.own.organizationId],
  );
  expect(entries[0]?.n).toBeGreaterThan(0);
});

test("money arrives, and a deposit comes back", async () => {
  const { income: accountId } = world.own.ids;
  const made = await drive("deposits", { accountId, amountInCents: 71_000, payerName: "Halden Health" });
  expect(made.status).toBe(200);
  const { text } = await world.own.addKey([{ type: "READ_TRANSFERS", accounts: "ALL" }]);
  const list = await call(text, "GET", `/accounts/${accountId}/transfers`);
  const [deposit] = Object(list.body).data.items;
  expect(deposit).toMatchObject({ amountInCents: 71_000, status: "COMPLETE" });
  expect((await drive("returns", { transferId: deposit.id, code: "R02" })).status).toBe(200);
});

test("a card that the network has not issued buys nothing", async () => {
  const { card: cardId } = world.own.ids;
  const bought = await drive("card-purchases", { cardId, amountInCents: 4_900, merchant: "Harbor Cloud" });
  expect([bought.status, Object(bought.body).error.code]).toEqual([400, "INVALID_PARAMETERS"]);
});

test("a transaction outside is seen at once", async () => {
  const aggregator = createSandboxAggregator(database.pool);
  const { accountIds } = await connectAccounts(world.services, aggregator, world.own.owner, {
    kind: "CHOICE",
    institutionId: "sbx_first_harbor",
    templates: ["first_harbor_checking"],
  });
  const [accountId] = accountIds;
  const body = { accountId, amountInCents: 6_184, direction: "MONEY_OUT", partyName: "Quill Bindery" };
  expect((await drive("outside-transactions", body)).status).toBe(200);
  const { text } = await world.own.addKey([{ type: "READ_TRANSFERS", accounts: "ALL" }]);
  const list = await call(text, "GET", "/external-transactions?q=quill");
  expect(Object(list.body).data.items).toEqual([
    expect.objectContaining({ amountInCents: 6_184, accountId, direction: "MONEY_OUT" }),
  ]);
});

test("an account that no sandbox institution holds has no outside transactions", async () => {
  const { checking: accountId } = world.own.ids;
  const body = { accountId, amountInCents: 6_184, direction: "MONEY_OUT", partyName: "Juniper Market" };
  expect(Object((await drive("outside-transactions", body)).body).error.code).toBe("ACCOUNT_NOT_FOUND");
});

test("the clock moves forward, never back, and what falls due on the way happens", async () => {
  const { id, read } = await propose(12_600);
  const moved = await drive("clock", { to: atNoonOf("2026-01-20").toISOString() });
  expect([moved.status, Object(moved.body).data]).toEqual([
    200,
    { now: atNoonOf("2026-01-20").toISOString(), outcome: null },
  ]);
  expect(await read()).toMatchObject({ id, status: "APPROVAL_DENIED", decision: { outcome: "EXPIRED" } });
  expect((await drive("clock", { to: "2026-01-16T00:00:00Z" })).status).toBe(400);
});

test("a card buys, a decline says why, and its purchase is listed once it settles", async () => {
  const { operating: accountId } = world.own.ids;
  const cardId = await createTestCards(database, world.services, world.own).issue({ accountId });
  const buy = async (amountInCents: number) =>
    Object((await drive("card-purchases", { cardId, amountInCents, merchant: "Harbor Cloud" })).body).data
      .outcome;
  expect(await buy(4_900)).toBe("APPROVED");
  expect(await buy(900_000_000)).toBe("INSUFFICIENT_FUNDS");
  await drive("clock", { to: atNoonOf("2026-01-26").toISOString() });
  const { text } = await world.own.addKey([{ type: "READ_TRANSFERS", accounts: "ALL" }]);
  const list = await call(text, "GET", "/card-transactions?q=harbor");
  expect(Object(list.body).data.items).toEqual([expect.objectContaining({ amountInCents: 4_900, cardId })]);
});

describe.each(PATHS)("POST /sandbox/%s", (path) => {
  const bodies: Record<string, () => object> = {
    clock: () => ({ to: "2026-02-01T00:00:00Z" }),
    deposits: () => ({ accountId: world.own.ids.operating, amountInCents: 100, payerName: "A" }),
    "card-purchases": () => ({ cardId: world.own.ids.card, amountInCents: 100, merchant: "A" }),
    "outside-transactions": () => ({
      accountId: world.own.ids.checking,
      amountInCents: 100,
      direction: "MONEY_IN",
      partyName: "A",
    }),
    returns: () => ({ transferId: world.own.ids.transfer, code: "R02" }),
    decisions: () => ({ proposalId: world.own.ids.proposal, decision: "DENY" }),
  };
  const body = () => bodies[path]?.() ?? {};

  test("is refused where any provider is real", async () => {
    const { status, body: answer } = await createTestApi(world.services)(driver, "POST", `/sandbox/${path}`, {
      body: body(),
    });
    expect([status, Object(answer).error]).toEqual([
      403,
      expect.objectContaining({ code: "ACCESS_DENIED", message: expect.stringContaining("real provider") }),
    ]);
  });

  test("is refused without CONTROL_SANDBOX", async () => {
    const { text } = await world.own.addKey([moveAnything(false)]);
    const { status, body: answer } = await call(text, "POST", `/sandbox/${path}`, { body: body() });
    expect([status, Object(answer).error.message]).toEqual([
      403,
      expect.stringContaining("lacks the permission CONTROL_SANDBOX"),
    ]);
  });
});

test("is refused once the member who made the key no longer decides", async () => {
  const { text } = await world.own.addKey([{ type: "CONTROL_SANDBOX" }]);
  const { id } = await propose(12_700);
  const setRole = (role: string) =>
    database.ownerPool.query("update memberships set role = $3 where organization_id = $1 and user_id = $2", [
      world.own.organizationId,
      world.own.owner.actor.id,
      role,
    ]);
  await setRole("VIEWER");
  const refused = await call(text, "POST", "/sandbox/decisions", {
    body: { proposalId: id, decision: "DENY" },
  });
  await setRole("OWNER");
  expect(refused.status).toBe(403);
});
