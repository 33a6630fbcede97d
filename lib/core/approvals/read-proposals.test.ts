import { describe, expect, it } from "vitest";
import type { PermissionInput } from "@/lib/contract/permissions";
import { decideProposal } from "@/lib/core/approvals/decide-proposal";
import { discardVersion } from "@/lib/core/rules/change-rule";
import { createTestApi, moveAnything, readEverything } from "@/lib/testing/api";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { anythingWithRules, makeActive, writeRule } from "@/lib/testing/rules/rules";
import { createTestServices } from "@/lib/testing/services";
import { getApproval } from "@/lib/views/approvals/get-approval";

/**
 * Goal: a program finds out what waits and what became of what it requested, of every kind, and sees no more of others
 * than its permissions say. Method: over HTTP, with keys of different permissions on one organization.
 */
const database = useTestDatabase();
const DAY_MS = 86_400_000;

async function arrange() {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const pod = (name: string) => organization.addAccount({ name, type: "POD", balanceInCents: 100_000 });
  const [operating, taxes, rent] = [await pod("Operating"), await pod("Taxes"), await pod("Rent")];
  const call = createTestApi(services);
  const owner = () => ({ ...organization.owner, now: clock.now() });
  const keyWith = (permissions: PermissionInput[], name: string) => organization.addKey(permissions, name);
  const asking = await keyWith(
    [moveAnything(true), ...anythingWithRules(true), { type: "CREATE_ACCOUNTS" }],
    "brightpay",
  );
  const list = async (key: string, query = "") => {
    const { status, body } = await call(key, "GET", `/proposals${query}`);
    expect(status).toBe(200);
    return Object(body).data;
  };
  const get = async (key: string, id: string) => {
    const { status, body } = await call(key, "GET", `/proposals/${id}`);
    return { status, data: Object(body).data, code: Object(body).error?.code };
  };
  const propose = async (destinationAccountId = taxes, key = asking.text) => {
    const body = {
      sourceAccountId: operating,
      destinationAccountId,
      amountInCents: 10_000,
      reasonForApproval: "Why",
    };
    return String(Object((await call(key, "POST", "/transfers", { body })).body).data.id);
  };
  const addRule = () =>
    writeRule(
      services,
      { ...asking.context, now: clock.now() },
      {
        name: "Payday",
        trigger: { type: "MANUAL", accountId: operating },
        steps: [
          {
            actions: [
              {
                type: "FIXED",
                sourceAccountId: operating,
                destinationAccountId: taxes,
                group: 0,
                amountInCents: 5_000,
              },
            ],
          },
        ],
      },
    );
  const decide = async (proposalId: string, decision: "APPROVE" | "DENY") => {
    const time = { nowAt: clock.now().toISOString(), timeZone: "UTC", locale: "en-US" };
    const view = await getApproval({ services, context: owner(), time }, proposalId);
    const confirmation = { kind: "NONE" as const };
    await decideProposal(services, owner(), {
      proposalId,
      decision,
      digest: view?.digest ?? "",
      note: null,
      confirmation,
      ...(decision === "DENY" && {
        reason: { kind: "TOO_MUCH" as const, text: "Half of it", notBefore: null },
      }),
    });
  };
  return {
    services,
    clock,
    call,
    owner,
    keyWith,
    asking,
    list,
    get,
    propose,
    addRule,
    decide,
    operating,
    taxes,
    rent,
  };
}

const namesOf = (items: { kind: string; status: string }[]) =>
  items.map(({ kind, status }) => `${kind} ${status}`);

describe("listProposals", () => {
  it("has every kind, newest first, with what a program needs of each", async () => {
    const scene = await arrange();
    const { asking, call, clock } = scene;
    const transfer = await scene.propose();
    clock.advance(1_000);
    const ruleId = await scene.addRule();
    await makeActive(database, ruleId);
    clock.advance(1_000);
    const run = await call(asking.text, "POST", `/rules/${ruleId}/trigger`, { body: {} });
    clock.advance(1_000);
    await call(asking.text, "POST", "/payees", {
      body: { name: "Harbor Print", kind: "BUSINESS", reason: "Invoice" },
    });
    clock.advance(1_000);
    await call(asking.text, "POST", `/rules/${ruleId}/deactivation-proposals`, {
      body: { reasonForApproval: "Ends" },
    });

    const { items } = await scene.list(asking.text);
    expect(namesOf(items)).toEqual([
      "RULE_DEACTIVATION WAITING",
      "PAYEE WAITING",
      "RULE_RUN WAITING",
      "RULE_VERSION WAITING",
      "TRANSFER WAITING",
    ]);
    expect(items[4]).toMatchObject({
      id: transfer,
      transferId: transfer,
      source: { id: scene.operating, name: "Operating" },
      destinations: [{ id: scene.taxes, name: "Taxes" }],
      amountInCents: 10_000,
      reason: "Why",
      requester: { kind: "API_KEY", name: "brightpay", isCaller: true },
      decision: null,
    });
    expect(items[4].approvalUrl).toContain(`approvalTransferId=${transfer}`);
    expect(items[4].checks).toContainEqual(
      expect.objectContaining({ code: "INSUFFICIENT_FUNDS", level: "CLEAR" }),
    );
    expect(items[2].ruleExecutionId).toBe(Object(run.body).data.executionId);
    expect(items[1]).toMatchObject({
      name: "Harbor Print",
      reason: "Invoice",
      expiresAt: null,
      checks: null,
    });
    expect(items[0]).toMatchObject({ ruleId, ruleVersion: 1, name: "Payday", reason: "Ends" });
    expect(items[0].approvalUrl).toContain(`/rules/${ruleId}?version=1`);
    for (const item of items) expect((await scene.get(asking.text, item.id)).data).toEqual(item);
  });

  it("says what became of each", async () => {
    const scene = await arrange();
    const { asking, services, clock } = scene;
    const denied = await scene.propose();
    const approved = await scene.propose(scene.rent);
    const withdrawn = await scene.propose();
    await scene.decide(denied, "DENY");
    await scene.decide(approved, "APPROVE");
    await scene.call(asking.text, "POST", `/transfers/${withdrawn}/cancel`, { body: {} });
    const late = await scene.propose();
    const ruleId = await scene.addRule();
    await discardVersion(services, scene.owner(), { ruleId, version: 1 });
    clock.advance(DAY_MS);

    const { items } = await scene.list(asking.text);
    const of = (id: string) => items.find((item: { id: string }) => item.id === id);
    expect(of(denied)).toMatchObject({
      status: "DENIED",
      approvalUrl: null,
      checks: null,
      decision: { outcome: "DENIED", reason: { kind: "TOO_MUCH", text: "Half of it" } },
    });
    expect(of(approved)).toMatchObject({ status: "APPROVED", decision: { outcome: "APPROVED" } });
    expect(of(withdrawn)).toMatchObject({ status: "WITHDRAWN", decision: { outcome: "WITHDRAWN" } });
    expect(of(late), "also before the worker has recorded it").toMatchObject({
      status: "EXPIRED",
      decision: { outcome: "EXPIRED" },
    });
    expect(items.find((item: { ruleId: string }) => item.ruleId === ruleId)).toMatchObject({
      status: "DENIED",
    });
    expect(namesOf((await scene.list(asking.text, "?status=DENIED,EXPIRED")).items).sort()).toEqual([
      "RULE_VERSION DENIED",
      "TRANSFER DENIED",
      "TRANSFER EXPIRED",
    ]);
    expect((await scene.list(asking.text, "?status=WAITING")).items).toEqual([]);
  });

  it("shows an earlier version that another one replaced as ended", async () => {
    const scene = await arrange();
    const ruleId = await scene.addRule();
    const rule = Object((await scene.call(scene.asking.text, "GET", `/rules/${ruleId}`)).body).data;
    scene.clock.advance(1_000);
    const { name, trigger, steps } = rule;
    const update = await scene.call(scene.asking.text, "PUT", `/rules/${ruleId}`, {
      body: { name, trigger, steps },
    });
    expect(update.status).toBe(200);
    const { items } = await scene.list(scene.asking.text, "?kind=RULE_VERSION");
    expect(
      items.map((item: { ruleVersion: number; status: string }) => [item.ruleVersion, item.status]),
    ).toEqual([
      [2, "WAITING"],
      [1, "REVOKED"],
    ]);
  });

  it("goes page by page, without repeating or missing one, over kinds", async () => {
    const scene = await arrange();
    for (let count = 0; count < 3; count++) {
      await scene.propose();
      scene.clock.advance(1_000);
      await scene.addRule();
      scene.clock.advance(1_000);
    }
    const all = (await scene.list(scene.asking.text)).items;
    const pages = await Promise.all(
      [1, 2, 3].map(async (page) => scene.list(scene.asking.text, `?pageSize=2&page=${page}`)),
    );
    expect(pages.flatMap(({ items }) => items)).toEqual(all);
    expect(pages.map(({ pagination }) => pagination.hasNextPage)).toEqual([true, true, false]);
  });

  it("shows a key its own, and others' as far as it may read them", async () => {
    const scene = await arrange();
    const transfer = await scene.propose();
    const ruleId = await scene.addRule();
    const seen = async (permissions: PermissionInput[], query = "") =>
      namesOf((await scene.list((await scene.keyWith(permissions, "other")).text, query)).items).sort();

    expect(await seen([])).toEqual([]);
    expect(await seen([{ type: "READ_TRANSFERS", accounts: "ALL" }])).toEqual(["TRANSFER WAITING"]);
    expect(await seen([{ type: "READ_TRANSFERS", accounts: [scene.taxes] }])).toEqual(["TRANSFER WAITING"]);
    expect(await seen([{ type: "READ_TRANSFERS", accounts: [scene.rent] }])).toEqual([]);
    expect(await seen([{ type: "READ_RULES", rules: [ruleId] }])).toEqual(["RULE_VERSION WAITING"]);
    expect(await seen([{ type: "READ_RULES", rules: "ALL" }], "?kind=TRANSFER")).toEqual([]);
    expect(await seen([...readEverything, { type: "READ_RULES", rules: "ALL" }], "?mine=true")).toEqual([]);

    const stranger = await scene.keyWith([{ type: "READ_RULES", rules: "ALL" }], "stranger");
    expect(await scene.get(stranger.text, transfer)).toMatchObject({
      status: 404,
      code: "PROPOSAL_NOT_FOUND",
    });
  });

  it("hides what a run would move from a key that may not read the accounts of its rule", async () => {
    const scene = await arrange();
    const ruleId = await scene.addRule();
    await makeActive(database, ruleId);
    await scene.call(scene.asking.text, "POST", `/rules/${ruleId}/trigger`, { body: {} });
    const rules: PermissionInput = { type: "READ_RULES", rules: "ALL" };
    const blind = await scene.keyWith([rules], "blind");
    const seeing = await scene.keyWith([rules, ...readEverything], "seeing");
    const run = async (key: string) => (await scene.list(key, "?kind=RULE_RUN")).items[0];
    expect(await run(blind.text)).toMatchObject({ amountInCents: null, source: null, destinations: [] });
    expect(await run(seeing.text)).toMatchObject({
      amountInCents: 5_000,
      source: { name: "Operating" },
      destinations: [{ name: "Taxes" }],
    });
  });
});
