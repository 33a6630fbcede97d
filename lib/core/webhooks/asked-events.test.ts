import { describe, expect, it } from "vitest";
import { type AskedEventType, askedEventTypeSchema } from "@/lib/contract/webhooks";
import { decideProposal } from "@/lib/core/approvals/decide-proposal";
import { deactivateRule } from "@/lib/core/rules/change-rule";
import { chooseEndpointEvents } from "@/lib/core/webhooks/switch-endpoint";
import { createTestApi, moveAnything } from "@/lib/testing/api";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { anythingWithRules, makeActive, runAllRules, writeRule } from "@/lib/testing/rules/rules";
import { createTestServices } from "@/lib/testing/services";
import { addEndpoint, createTestWebhooks } from "@/lib/testing/webhooks";

/**
 * Goal: an endpoint that asks for more events gets each of those once per change, in the order of the changes, written
 * with the change; one that does not ask gets none of them.
 */
const database = useTestDatabase();

async function arrange(
  asked: AskedEventType[] = [...askedEventTypeSchema.options],
  { isAlone = false } = {},
) {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const { organizationId } = organization;
  const pod = (name: string) => organization.addAccount({ name, type: "POD", balanceInCents: 100_000 });
  const [operating, taxes] = [await pod("Operating"), await pod("Taxes")];
  const key = await organization.addKey(
    [moveAnything(true), ...anythingWithRules(true), { type: "CREATE_ACCOUNTS" }],
    "brightpay",
  );
  const owner = () => ({ ...organization.owner, now: clock.now() });
  const endpoint = await addEndpoint(
    services,
    createTestWebhooks(),
    organizationId,
    "https://hooks.example/asked",
  );
  const plain = isAlone
    ? endpoint
    : await addEndpoint(services, createTestWebhooks(), organizationId, "https://hooks.example/plain");
  const choose = (types: AskedEventType[]) =>
    chooseEndpointEvents(services, owner(), { endpointId: endpoint.id, askedEvents: types });
  await choose(asked);
  const call = createTestApi(services);
  const post = async (path: string, body: object) =>
    Object((await call(key.text, "POST", path, { body })).body).data;
  const addRule = () =>
    writeRule(
      services,
      { ...key.context, now: clock.now() },
      {
        trigger: { type: "MANUAL", accountId: operating },
        steps: [
          {
            actions: [
              {
                type: "FIXED",
                sourceAccountId: operating,
                destinationAccountId: taxes,
                group: 0,
                amountInCents: 500,
              },
            ],
          },
        ],
      },
    );
  const of = async (endpointId: string, type: AskedEventType) => {
    const { rows } = await database.pool.query<{ resourceId: string; resourceType: string }>(
      `select e.resource_id as "resourceId", e.resource_type as "resourceType" from webhook_deliveries d
         join webhook_events e on e.organization_id = d.organization_id and e.id = d.event_id
        where d.organization_id = $1 and d.endpoint_id = $2 and e.type = $3 order by e.id`,
      [organizationId, endpointId, type],
    );
    return rows;
  };
  const emitted = async (type: AskedEventType) =>
    (await of(endpoint.id, type)).map(({ resourceId }) => resourceId);
  const deny = (proposalId: string) =>
    decideProposal(services, owner(), {
      proposalId,
      decision: "DENY",
      confirmation: { kind: "NONE" },
      note: null,
      digest: "",
    });
  return {
    services,
    clock,
    owner,
    choose,
    post,
    addRule,
    emitted,
    deny,
    endpoint,
    plain,
    of,
    operating,
    taxes,
    key,
  };
}

describe("an endpoint that asks", () => {
  it("learns of proposals, when they wait and when they are decided", async () => {
    const scene = await arrange();
    const { operating: sourceAccountId, taxes: destinationAccountId } = scene;
    const { id } = await scene.post("/transfers", {
      sourceAccountId,
      destinationAccountId,
      amountInCents: 100,
    });
    scene.clock.advance(1_000);
    await scene.deny(id);
    scene.clock.advance(1_000);
    const payee = await scene.post("/payees", { name: "Harbor Print", kind: "BUSINESS" });
    expect(await scene.emitted("proposal.changed")).toEqual([id, id, payee.id]);
    expect(await scene.emitted("payee.changed")).toEqual([payee.id]);
  });

  it("learns of them where it is the only endpoint", async () => {
    const scene = await arrange(["proposal.changed"], { isAlone: true });
    const { operating: sourceAccountId, taxes: destinationAccountId } = scene;
    const { id } = await scene.post("/transfers", {
      sourceAccountId,
      destinationAccountId,
      amountInCents: 100,
    });
    expect(await scene.emitted("proposal.changed")).toEqual([id]);
  });

  it("learns of rules and of what programs propose about them", async () => {
    const scene = await arrange();
    const ruleId = await scene.addRule();
    await makeActive(database, ruleId);
    scene.clock.advance(1_000);
    const stop = await scene.post(`/rules/${ruleId}/deactivation-proposals`, {});
    scene.clock.advance(1_000);
    await deactivateRule(scene.services, scene.owner(), { ruleId, version: 1 });
    expect(await scene.emitted("rule.changed")).toEqual([ruleId, ruleId, ruleId]);
    const [version, ...ofStop] = await scene.emitted("proposal.changed");
    expect(ofStop).toEqual([stop.id, stop.id]);
    const { rows } = await database.pool.query("select rule_id from rule_versions where proposal_id = $1", [
      version,
    ]);
    expect(rows).toEqual([{ rule_id: ruleId }]);
  });

  it("learns of runs at each change of their status, and of no dry run", async () => {
    const scene = await arrange();
    const ruleId = await scene.addRule();
    await makeActive(database, ruleId);
    const { executionId } = await scene.post(`/rules/${ruleId}/trigger`, {});
    scene.clock.advance(1_000);
    await scene.deny(executionId);
    await scene.post(`/rules/${ruleId}/trigger`, { simulation: true });
    await runAllRules(scene.services);
    expect(await scene.emitted("rule_execution.changed")).toEqual([executionId, executionId]);
  });

  it("learns of accounts, but not of their balances", async () => {
    const scene = await arrange();
    const { id } = await scene.post("/accounts", { type: "POD", name: "Vacation" });
    scene.clock.advance(1_000);
    await database.ownerPool.query("update accounts set name = 'Holiday', updated_at = $2 where id = $1", [
      id,
      scene.clock.now(),
    ]);
    await database.ownerPool.query(
      "update ledgers set credits_in_cents = credits_in_cents + 100 where id = $1",
      [id],
    );
    expect(await scene.emitted("account.changed")).toEqual([id, id]);
  });

  it("is alone with them: the envelope is thin, and no other endpoint gets one", async () => {
    const scene = await arrange();
    await scene.post("/payees", { name: "Harbor Print", kind: "BUSINESS" });
    for (const type of askedEventTypeSchema.options) {
      expect(await scene.of(scene.plain.id, type)).toEqual([]);
      for (const { resourceType } of await scene.of(scene.endpoint.id, type)) {
        expect(`${resourceType}.changed`).toBe(type);
      }
    }
  });

  it("gets none of what it no longer asks for", async () => {
    const scene = await arrange(["rule.changed"]);
    await scene.post("/payees", { name: "Harbor Print", kind: "BUSINESS" });
    await scene.addRule();
    expect(await scene.emitted("payee.changed")).toEqual([]);
    expect(await scene.emitted("rule.changed")).toHaveLength(1);
    await scene.choose([]);
    await scene.addRule();
    expect(await scene.emitted("rule.changed")).toHaveLength(1);
  });

  it("gets nothing of a change that is rolled back", async () => {
    const scene = await arrange();
    const client = await database.ownerPool.connect();
    try {
      await client.query("begin");
      await client.query("update accounts set name = 'Never' where id = $1", [scene.operating]);
      await client.query("rollback");
    } finally {
      client.release();
    }
    expect(await scene.emitted("account.changed")).toEqual([]);
  });
});
