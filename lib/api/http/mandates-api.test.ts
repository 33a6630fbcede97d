import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { closeGates } from "@/lib/core/keys/switch-gates";
import { createTestApi, moveAnything } from "@/lib/testing/api";
import { revokeKey } from "@/lib/testing/api-proof/key-ring";
import { mandateTerms } from "@/lib/testing/api-proof/organization-with-everything";
import { connectAssistantWithToken } from "@/lib/testing/assistants";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestMcp } from "@/lib/testing/mcp";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";

/**
 * Goal: a key learns of, asks for and ends its own mandates and no other's, and nothing that it sends widens what it may do.
 * Method: over HTTP and MCP as keys of two organizations, a revoked key and an assistant of an owner.
 */
const database = useTestDatabase();
let world: Awaited<ReturnType<typeof arrange>>;
beforeAll(async () => {
  world = await arrange();
});

async function arrange() {
  const { services, clock } = createTestServices(database);
  const own = await createTestOrganization(database, services);
  const stranger = await createTestOrganization(database, services);
  const pods = async (organization: typeof own) => {
    const pod = (name: string) => organization.addAccount({ name, type: "POD", balanceInCents: 608_747 });
    return { operating: await pod("Operating"), taxes: await pod("Taxes"), travel: await pod("Travel") };
  };
  return {
    services,
    clock,
    own,
    stranger,
    ids: await pods(own),
    foreign: await pods(stranger),
    call: createTestApi(services),
    mcp: createTestMcp(services),
  };
}

type Sent = Record<string, unknown>;

/** Of a new key: each may have few mandates. */
let keyText = "";
let keyId = "";
beforeEach(async () => {
  const key = await world.own.addKey([moveAnything(true)]);
  keyText = key.text;
  keyId = key.id;
});

const ask = async (key: string, method: string, path: string, body?: Sent) => {
  const response = await world.call(key, method, path, { body });
  const { data, error } = Object(response.body);
  return {
    status: response.status,
    data,
    code: error?.code ?? null,
    details: error?.details,
    text: response.text,
  };
};

const propose = (terms: Sent = {}, key = keyText) =>
  ask(key, "POST", "/mandates", {
    terms: { ...mandateTerms(world.ids), ...terms },
    reason: "Each is approved",
  });

/** As if those who must had signed it. */
const sign = (id: string) =>
  database.ownerPool.query(
    `update mandates set state = 'IN_FORCE', signed_at = created_at, signed_hash = 'as signed', payee_versions = '{}',
       policy_version = 0 where id = $1`,
    [id],
  );

const move = (amountInCents: number, key = keyText) =>
  ask(key, "POST", "/transfers", {
    sourceAccountId: world.ids.operating,
    destinationAccountId: world.ids.taxes,
    amountInCents,
  });

const count = async () => {
  const { rows } = await database.ownerPool.query("select count(*)::int as count from mandates");
  return rows[0].count as number;
};

describe("a key", () => {
  it("proposes a mandate, reads it while it waits, and withdraws it once and for all", async () => {
    const { status, data } = await propose({ monthInCents: 50_000 });
    expect([status, data.state, data.stoppedBy]).toEqual([202, "WAITING", null]);
    expect(data).toMatchObject({
      approvalUrl: `${world.services.appUrl}/mandates/${data.id}`,
      proposedBy: { kind: "API_KEY" },
      reason: "Each is approved",
      left: { monthInCents: 50_000, dayInCents: null },
      used: { uses: 0, inCents: 0 },
    });
    expect((await ask(keyText, "GET", `/mandates/${data.id}`)).data).toEqual(data);
    expect((await ask(keyText, "GET", "/mandates?state=WAITING")).data.items).toEqual([data]);
    expect((await ask(keyText, "GET", "/mandates?state=IN_FORCE")).data.items).toEqual([]);
    const canceled = await ask(keyText, "POST", `/mandates/${data.id}/cancel`);
    expect([canceled.status, canceled.data.state, canceled.data.approvalUrl]).toEqual([200, "DENIED", null]);
    expect((await ask(keyText, "POST", `/mandates/${data.id}/cancel`)).data).toEqual(canceled.data);
  });

  it("is accepted at once inside one, and waits outside of it and once it has ended", async () => {
    const { data } = await propose({ totalInCents: 30_000 });
    expect((await move(20_000)).data).toMatchObject({ status: "APPROVAL_PENDING", mandateId: null });
    await sign(data.id);
    const inside = await move(20_000);
    expect(inside.data).toMatchObject({ mandateId: data.id, approvalUrl: null });
    const outside = await move(10_001);
    expect(outside.data).toMatchObject({ status: "APPROVAL_PENDING", mandateId: null });
    expect(outside.data.checks).toContainEqual(expect.objectContaining({ code: "OUTSIDE_MANDATE" }));
    expect((await ask(keyText, "GET", `/mandates/${data.id}`)).data).toMatchObject({
      state: "IN_FORCE",
      used: { uses: 1, inCents: 20_000 },
      left: { totalInCents: 10_000 },
    });
    expect((await ask(keyText, "GET", "/whoami")).data.mandates).toEqual({ inForce: 1 });
    await ask(keyText, "POST", `/mandates/${data.id}/cancel`);
    expect((await move(10_000)).data).toMatchObject({ status: "APPROVAL_PENDING", mandateId: null });
    expect((await ask(keyText, "GET", "/whoami")).data.mandates).toEqual({ inForce: 0 });
  });

  it("lists the transfers of a mandate by it", async () => {
    const reader = await world.own.addKey([{ type: "READ_TRANSFERS", accounts: "ALL" }]);
    const { data } = await propose();
    await sign(data.id);
    const inside = await move(11_000);
    await move(25_000);
    const listed = await ask(
      reader.text,
      "GET",
      `/transfers?accountId=${world.ids.operating}&mandateId=${data.id}`,
    );
    expect(listed.data.items.map(({ id }: { id: string }) => id)).toEqual([inside.data.id]);
  });

  it("writes one mandate however often it sends one idempotency key", async () => {
    const body = { terms: mandateTerms(world.ids), reason: "Each is approved" };
    const send = () =>
      world.call(keyText, "POST", "/mandates", { body, headers: { "Idempotency-Key": "one-mandate" } });
    const before = await count();
    const answers = await Promise.all([send(), send()]);
    expect(new Set(answers.map(({ body: answer }) => Object(answer).data.id)).size).toBe(1);
    expect(await count()).toBe(before + 1);
  });

  it("asks for no more than its own permission allows", async () => {
    const { operating, taxes, travel } = world.ids;
    const { text } = await world.own.addKey([
      { type: "MANUAL_TRANSFER", entries: [{ source: operating, target: taxes, max_amount: 20_000 }] },
    ]);
    const before = await count();
    expect((await propose({ maximumInCents: 20_001 }, text)).code).toBe("MAXIMUM_AMOUNT_EXCEEDED");
    expect((await propose({ destinationAccountIds: [taxes, travel] }, text)).code).toBe("ACCESS_DENIED");
    expect(
      (await propose({ sourceAccountIds: [taxes], destinationAccountIds: [operating] }, text)).code,
    ).toBe("ACCESS_DENIED");
    expect(await count()).toBe(before);
    expect((await propose({ maximumInCents: 20_000 }, text)).status).toBe(202);
  });

  it("whose transfers need no approval is refused one in words, and none waits for a signature", async () => {
    const free = await world.own.addKey([moveAnything(false)]);
    const before = await count();
    const refused = await propose({}, free.text);
    expect([refused.status, refused.code]).toEqual([400, "INVALID_PARAMETERS"]);
    expect(refused.text).toContain("need no approval");
    expect(await count()).toBe(before);
    expect((await ask(free.text, "GET", "/mandates")).data.items).toEqual([]);
  });

  it("names no account of another organization, as if there were none", async () => {
    const before = await count();
    const from = await propose({ sourceAccountIds: [world.foreign.operating] });
    const to = await propose({ destinationAccountIds: [world.foreign.taxes] });
    expect([from.code, to.code]).toEqual(["TRANSFER_SOURCE_NOT_FOUND", "TRANSFER_DESTINATION_NOT_FOUND"]);
    expect(await count()).toBe(before);
  });

  it.each<[string, Sent, string]>([
    ["no maximum", { maximumInCents: null }, "terms.maximumInCents"],
    ["a maximum of nothing", { maximumInCents: 0 }, "terms.maximumInCents"],
    ["a negative budget", { dayInCents: -1 }, "terms.dayInCents"],
    ["half a cent", { monthInCents: 100.5 }, "terms.monthInCents"],
    ["an amount as text", { totalInCents: "30000" }, "terms.totalInCents"],
    ["more than can be counted exactly", { totalInCents: 2 ** 53 }, "terms.totalInCents"],
    ["no source", { sourceAccountIds: [] }, "terms.sourceAccountIds"],
    ["everything", { sourceAccountIds: "ANY" }, "terms.sourceAccountIds"],
    ["a minimum above the maximum", { minimumInCents: 20_001 }, "terms.minimumInCents"],
    ["an end before its beginning", { from: "2026-02-01", until: "2026-01-31" }, "terms.until"],
    ["ten years", { from: "2026-01-01", until: "2036-01-01" }, "terms.until"],
    ["a day that is none", { until: "2026-02-30" }, "terms.until"],
    ["no recurrence", { recurrence: { period: "YEAR", atMost: 1 } }, "terms.recurrence.period"],
    ["a field of its own", { unlimited: true }, "terms.unlimited"],
    ["a signature", { signedAt: "2026-01-01T00:00:00Z" }, "terms.signedAt"],
  ])("is refused a mandate with %s, and learns the field", async (_what, terms, field) => {
    const before = await count();
    const { status, code, details } = await propose(terms);
    expect([status, code]).toEqual([400, "INVALID_PARAMETERS"]);
    expect(details).toContainEqual(expect.objectContaining({ field }));
    expect(await count()).toBe(before);
  });

  it.each([
    { state: "IN_FORCE" },
    { apiKeyId: "x" },
    { timeZone: "UTC" },
    { signedAt: null, signatures: [] },
  ])("signs nothing by what it sends beside the terms: %o", async (beside) => {
    const body = { terms: mandateTerms(world.ids), reason: "Now", ...beside };
    expect((await ask(keyText, "POST", "/mandates", body)).code).toBe("INVALID_PARAMETERS");
  });
});

describe("a mandate of another key", () => {
  it.each(["of the organization", "of another organization"])("%s is none", async (whose) => {
    const { data } = await propose();
    await sign(data.id);
    const other = await (whose === "of the organization" ? world.own : world.stranger).addKey([
      moveAnything(true),
    ]);
    for (const [method, path] of [
      ["GET", `/mandates/${data.id}`],
      ["POST", `/mandates/${data.id}/cancel`],
    ] as const) {
      const refused = await ask(other.text, method, path);
      expect([path, refused.status, refused.code]).toEqual([path, 404, "MANDATE_NOT_FOUND"]);
      expect(refused.text).not.toContain("Each is approved");
    }
    expect((await ask(other.text, "GET", "/mandates")).data.items).toEqual([]);
    if (whose === "of the organization") {
      expect((await move(10_000, other.text)).data).toMatchObject({
        status: "APPROVAL_PENDING",
        mandateId: null,
      });
    }
    expect((await ask(keyText, "GET", `/mandates/${data.id}`)).data.state).toBe("IN_FORCE");
  });
});

describe("an assistant", () => {
  it("of an owner has no mandates: it lists no tool for them, and is refused in words", async () => {
    const { own, clock, services, mcp } = world;
    const { accessToken } = await connectAssistantWithToken(database, {
      organizationId: own.organizationId,
      userId: own.owner.actor.id,
      resource: `${services.appUrl}/mcp`,
      now: clock.now(),
    });
    const names = (await mcp.listTools(accessToken)).map(({ name }) => name);
    expect(names.filter((name) => /mandate/i.test(name))).toEqual([]);
    const terms = JSON.stringify(mandateTerms(world.ids));
    const before = await count();
    for (const [tool, sent] of [
      ["getMandates", {}],
      ["proposeMandate", { terms, reason: "Each is approved" }],
    ] as const) {
      const { isError, structured, text } = await mcp.callTool(accessToken, tool, sent);
      expect([tool, isError, Object(structured.error).code]).toEqual([tool, true, "ACCESS_DENIED"]);
      expect(text).toContain("waits for a person");
    }
    expect(await count()).toBe(before);
  });
});

describe("an agent with a key", () => {
  it("reads its mandates and proposes one, whose terms it writes as JSON", async () => {
    const { mcp, ids } = world;
    const names = (await mcp.listTools(keyText)).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["getMandates", "proposeMandate"]));
    const wrong = await mcp.callTool(keyText, "proposeMandate", {
      terms: "a lot",
      reason: "Each is approved",
    });
    expect([wrong.isError, Object(wrong.structured.error).details]).toEqual([
      true,
      expect.arrayContaining([{ field: "terms", message: "must be the JSON of an object" }]),
    ]);
    expect(wrong.text).toContain("maximumInCents (of one transfer)");
    const terms = JSON.stringify({ ...mandateTerms(ids), monthInCents: 40_000 });
    const asked = await mcp.callTool(keyText, "proposeMandate", { terms, reason: "Each is approved" });
    expect([asked.isError, asked.text]).toEqual([false, expect.stringContaining("/mandates/")]);
    const { text } = await mcp.callTool(keyText, "getMandates", {});
    expect(text).toContain("up to $200.00 each, at most $400.00 a month");
  });
});

describe("nothing moves under a mandate", () => {
  it("of a revoked key, which is unknown", async () => {
    const { data } = await propose();
    await sign(data.id);
    await revokeKey(database, world.own.organizationId, keyId);
    for (const answer of [await move(10_000), await propose(), await ask(keyText, "GET", "/mandates")]) {
      expect([answer.status, answer.code]).toEqual([401, "UNAUTHORIZED"]);
    }
  });

  it("while all gates are closed", async () => {
    // Of the other organization: its gates stay closed.
    const { stranger, foreign, clock, services } = world;
    const key = await stranger.addKey([moveAnything(true)]);
    const { data } = await propose({ ...mandateTerms(foreign) }, key.text);
    await sign(data.id);
    await closeGates(services, { ...stranger.owner, now: clock.now() });
    const refused = await ask(key.text, "POST", "/transfers", {
      sourceAccountId: foreign.operating,
      destinationAccountId: foreign.taxes,
      amountInCents: 10_000,
    });
    expect([refused.status, refused.code]).toEqual([403, "ACCESS_DENIED"]);
    expect((await ask(key.text, "GET", `/mandates/${data.id}`)).data.used.uses).toBe(0);
  });
});
