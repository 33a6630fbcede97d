import { describe, expect, it } from "vitest";
import { z } from "zod";
import { accountSchema, beneficiarySchema } from "@/lib/contract/account";
import { pageOf } from "@/lib/contract/page";
import type { PermissionInput } from "@/lib/contract/permissions";
import { transferSchema } from "@/lib/contract/transfer";
import { askTransfer, createTestApi, moveAnything } from "@/lib/testing/api";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";

const database = useTestDatabase();

const CREATE: PermissionInput = { type: "CREATE_ACCOUNTS" };

async function arrange(permissions: PermissionInput[] = [CREATE]) {
  const { services, clock, woken } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const key = await organization.addKey(permissions);
  const call = createTestApi(services);
  const create = (body: unknown, headers: Record<string, string> = {}) =>
    call(key.text, "POST", "/accounts", { body, headers });
  const countAccounts = async () => {
    const { rows } = await database.pool.query<{ count: number }>(
      "select count(*)::int as count from accounts where organization_id = $1",
      [organization.organizationId],
    );
    return rows[0]?.count;
  };
  return { services, clock, woken, organization, key, call, create, countAccounts };
}

const created = z.object({ data: accountSchema, requestId: z.string() });

describe("POST /accounts", () => {
  it("opens a pod with a zero balance, under the default beneficiary, and audits it in the same breath", async () => {
    const world = await arrange();
    const response = await world.create({ type: "POD", name: " Taxes ", savingsTargetInCents: 1_200_000 });
    expect(response.status).toBe(201);
    const { data, requestId } = created.parse(response.body);
    expect(data).toMatchObject({
      type: "POD",
      name: "Taxes",
      description: null,
      beneficiaryName: "Northwind",
      institutionName: null,
      routingNumber: null,
      bankAccountNumber: null,
      savingsTargetInCents: 1_200_000,
      balance: { balanceInCents: 0, availableBalanceInCents: 0, error: null },
    });
    const { rows } = await database.pool.query(
      "select action, outcome from audit_entries where organization_id = $1 and request_id = $2",
      [world.organization.organizationId, requestId],
    );
    expect(rows).toEqual([{ action: "CREATE_ACCOUNT", outcome: "SUCCESS" }]);
    expect(world.woken).toEqual([]);
  });

  it("can be used at once: money moves into the new pod", async () => {
    const world = await arrange([CREATE, moveAnything(false)]);
    const operating = await world.organization.addAccount({
      name: "Operating",
      type: "POD",
      balanceInCents: 50_000,
    });
    const { data } = created.parse((await world.create({ type: "POD", name: "Taxes" })).body);
    const transfer = await askTransfer(world.services, world.key.context, {
      sourceAccountId: operating,
      destinationAccountId: data.id,
      amountInCents: 10_000,
    });
    expect(transfer).toMatchObject({ status: "PROCESSING", destination: { id: data.id, name: "Taxes" } });
  });

  it("asks the bank for the numbers of an income source", async () => {
    const world = await arrange();
    const response = await world.create({ type: "INCOME_SOURCE", name: "Client payments" });
    expect(created.parse(response.body).data).toMatchObject({
      type: "INCOME_SOURCE",
      bankAccountNumber: null,
    });
    expect(world.woken).toEqual(["open-at-bank"]);
  });

  it.each([
    [{ name: "Taxes" }, "type"],
    [{ type: "EXTERNAL_ACCOUNT", name: "Taxes" }, "type"],
    [{ type: "POD" }, "name"],
    [{ type: "POD", name: "" }, "name"],
    [{ type: "POD", name: " \u00a0 " }, "name"],
    [{ type: "POD", name: "Tax\u200bes" }, "name"],
    [{ type: "POD", name: "x".repeat(61) }, "name"],
    [{ type: "POD", name: "Taxes\u202egnp" }, "name"],
    [{ type: "POD", name: "two\nlines" }, "name"],
    [{ type: "POD", name: 7 }, "name"],
    [{ type: "POD", name: "Taxes", description: "x".repeat(201) }, "description"],
    [{ type: "POD", name: "Taxes", beneficiaryId: "nobody" }, "beneficiaryId"],
    [{ type: "POD", name: "Taxes", beneficiaryId: "019a9c52-79ff-7e15-8b30-4d6ca9e17f15" }, "beneficiaryId"],
    [{ type: "POD", name: "Taxes", savingsTargetInCents: 0 }, "savingsTargetInCents"],
    [{ type: "POD", name: "Taxes", savingsTargetInCents: -1 }, "savingsTargetInCents"],
    [{ type: "POD", name: "Taxes", savingsTargetInCents: 10.5 }, "savingsTargetInCents"],
    [{ type: "POD", name: "Taxes", savingsTargetInCents: 2 ** 53 }, "savingsTargetInCents"],
    [{ type: "INCOME_SOURCE", name: "In", savingsTargetInCents: 100 }, "savingsTargetInCents"],
    [{ type: "POD", name: "Taxes", floorInCents: 100 }, "floorInCents"],
  ])("refuses %j, names %s, and opens nothing", async (body, field) => {
    const world = await arrange();
    const response = await world.create(body, { "idempotency-key": "once" });
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({
      error: { code: "INVALID_PARAMETERS", message: expect.stringContaining(field), details: [{ field }] },
    });
    expect(await world.countAccounts()).toBe(0);
    // What was refused leaves its key free.
    expect((await world.create({ type: "POD", name: "Taxes" }, { "idempotency-key": "once" })).status).toBe(
      201,
    );
  });

  it("does not open an account under another organization's beneficiary", async () => {
    const world = await arrange();
    const other = await arrange();
    const body = { type: "POD", name: "Taxes", beneficiaryId: other.organization.beneficiaryId };
    expect((await world.create(body)).status).toBe(400);
    expect(await world.countAccounts()).toBe(0);
  });

  it("is refused without the permission, and to a key that was revoked", async () => {
    const world = await arrange([moveAnything(true)]);
    expect((await world.create({ type: "POD", name: "Taxes" })).status).toBe(403);
    await database.pool.query("update api_keys set revoked_at = now() where id = $1", [
      world.key.context.actor.id,
    ]);
    expect((await world.create({ type: "POD", name: "Taxes" })).status).toBe(401);
    expect(await world.countAccounts()).toBe(0);
  });

  it("fifty identical requests at once open one account: one 201 and its replays", async () => {
    const world = await arrange();
    const body = { type: "POD", name: "Taxes", description: "A quarter" };
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => world.create(body, { "idempotency-key": "fifty" })),
    );
    expect(new Set(responses.map((response) => response.status))).toEqual(new Set([201]));
    expect(new Set(responses.map((response) => created.parse(response.body).data.id)).size).toBe(1);
    expect(new Set(responses.map((response) => created.parse(response.body).requestId)).size).toBe(1);
    const replayed = responses.filter((response) => response.headers.get("idempotent-replayed") === "true");
    expect(replayed).toHaveLength(49);
    expect(await world.countAccounts()).toBe(1);
  });

  it("refuses another request under the same key, and starts over after 24 hours", async () => {
    const world = await arrange();
    const headers = { "idempotency-key": "again" };
    expect((await world.create({ type: "POD", name: "Taxes" }, headers)).status).toBe(201);
    const other = await world.create({ type: "POD", name: "Payroll" }, headers);
    expect(other.body).toMatchObject({ error: { code: "IDEMPOTENCY_KEY_MISMATCH" } });
    world.clock.advance(24 * 60 * 60 * 1000 + 1);
    expect((await world.create({ type: "POD", name: "Payroll" }, headers)).status).toBe(201);
    expect(await world.countAccounts()).toBe(2);
  });
});

describe("GET /beneficiaries", () => {
  it("answers every valid key, page by page, with this organization's only", async () => {
    const world = await arrange([]);
    await arrange();
    const response = await world.call(world.key.text, "GET", "/beneficiaries?pageSize=1");
    expect(response.status).toBe(200);
    const { data } = z.object({ data: pageOf(beneficiarySchema) }).parse(response.body);
    expect(data).toEqual({
      items: [{ id: world.organization.beneficiaryId, name: "Northwind", beneficiaryType: "BUSINESS" }],
      pagination: { page: 1, pageSize: 1, hasNextPage: false },
    });
    const { rows } = await database.pool.query(
      "select action from audit_entries where organization_id = $1",
      [world.organization.organizationId],
    );
    expect(rows).toEqual([{ action: "LIST_BENEFICIARIES" }]);
  });
});

describe("GET /accounts/{accountId}/transfers", () => {
  async function withTransfers() {
    const world = await arrange([moveAnything(false)]);
    const operating = await world.organization.addAccount({
      name: "Operating",
      type: "POD",
      balanceInCents: 50_000,
    });
    const taxes = await world.organization.addAccount({ name: "Taxes", type: "POD" });
    const reader = await world.organization.addKey(
      [{ type: "READ_TRANSFERS", accounts: [operating] }],
      "reader",
    );
    const ask = (simulation: boolean) =>
      askTransfer(world.services, world.key.context, {
        sourceAccountId: operating,
        destinationAccountId: taxes,
        amountInCents: 10_000,
        simulation,
      });
    const moved = await ask(false);
    const dry = await ask(true);
    const list = async (query: string) => {
      const response = await world.call(reader.text, "GET", `/accounts/${operating}/transfers${query}`);
      return z.object({ data: pageOf(transferSchema) }).parse(response.body).data;
    };
    return { ...world, operating, taxes, reader, moved, dry, list };
  }

  it("lists live transfers on the side that is asked for, newest first", async () => {
    const { list, moved, dry } = await withTransfers();
    const idsOf = async (query: string) => (await list(query)).items.map((transfer) => transfer.id);
    const deposit = (await idsOf("?accountRole=destination"))[0];
    expect(await idsOf("")).toEqual([moved.id, deposit]);
    expect(await idsOf("?accountRole=either&pageSize=1&page=2")).toEqual([deposit]);
    expect(await idsOf("?accountRole=source")).toEqual([moved.id]);
    expect(await idsOf("?executionMode=SIMULATION")).toEqual([dry.id]);
    expect((await list("?pageSize=1")).pagination.hasNextPage).toBe(true);
  });

  it("refuses an account outside the key's list, and does not find another organization's", async () => {
    const { call, reader, taxes } = await withTransfers();
    const other = await withTransfers();
    const ask = async (id: string) => (await call(reader.text, "GET", `/accounts/${id}/transfers`)).body;
    expect(await ask(taxes)).toMatchObject({ error: { code: "ACCESS_DENIED" } });
    expect(await ask(other.operating)).toMatchObject({ error: { code: "ACCOUNT_NOT_FOUND" } });
    expect(await ask("no-uuid")).toMatchObject({ error: { code: "ACCOUNT_NOT_FOUND" } });
  });
});
