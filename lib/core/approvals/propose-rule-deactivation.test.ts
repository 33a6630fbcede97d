import { describe, expect, it } from "vitest";
import { ruleHref } from "@/lib/contract/hrefs";
import { approvalPlaceSchema, approvalSearchSchema } from "@/lib/contract/search/search-schemas";
import { expireProposals } from "@/lib/core/approvals/expire-proposals";
import { keepRuleActive } from "@/lib/core/approvals/propose-rule-deactivation";
import { revokeApiKey } from "@/lib/core/keys/revoke-api-key";
import { sendNotices } from "@/lib/core/notifications/send-notices";
import { deactivateRule } from "@/lib/core/rules/change-rule";
import { createTestApi } from "@/lib/testing/api";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { overlap } from "@/lib/testing/overlap";
import { anythingWithRules, makeActive, writeRule } from "@/lib/testing/rules/rules";
import { createTestServices } from "@/lib/testing/services";
import { listProposals } from "@/lib/views/approvals/list-proposals";
import { readRulePage } from "@/lib/views/rules/read-rule-page";

/**
 * Goal: a program proposes that a rule stops; a person's one act stops it or keeps it, once. Method: over HTTP; races with
 * one transaction held open, so that their order is certain.
 */
const database = useTestDatabase();
const DAY_MS = 86_400_000;

async function arrange() {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const pod = (name: string) => organization.addAccount({ name, type: "POD", balanceInCents: 100_000 });
  const [operating, taxes] = [await pod("Operating"), await pod("Taxes")];
  const key = await organization.addKey(anythingWithRules(true), "brightpay");
  const call = createTestApi(services);
  const owner = () => ({ ...organization.owner, now: clock.now() });
  const ruleId = await writeRule(services, key.context, {
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
  });
  await makeActive(database, ruleId);
  const ask = async (text = key.text, headers = {}) => {
    const path = `/rules/${ruleId}/deactivation-proposals`;
    const { status, body } = await call(text, "POST", path, {
      body: { reasonForApproval: "It ends" },
      headers,
    });
    return { status, data: Object(body).data, code: Object(body).error?.code };
  };
  const get = async (id: string) => Object((await call(key.text, "GET", `/proposals/${id}`)).body).data;
  const stop = () => deactivateRule(services, owner(), { ruleId, version: 1 });
  const stops = async () => {
    const time = { nowAt: clock.now().toISOString(), timeZone: "UTC", locale: "en-US" };
    const page = await readRulePage({ services, context: owner(), time }, { ruleId, version: null });
    return page?.kind === "READABLE" ? page.proposedStops : [];
  };
  const inbox = async (context = owner()) => {
    const time = { nowAt: clock.now().toISOString(), timeZone: "UTC", locale: "en-US" };
    const search = approvalSearchSchema.parse({});
    return (await listProposals({ services, context, time }, search, approvalPlaceSchema.parse({}))).stops;
  };
  return { services, clock, organization, key, call, owner, ruleId, ask, get, stop, stops, inbox };
}

describe("proposeRuleDeactivation", () => {
  it("waits for a person, who sees who proposes it and why, and is notified once", async () => {
    const scene = await arrange();
    const { status, data } = await scene.ask();
    expect(status).toBe(202);
    expect(data).toMatchObject({
      kind: "RULE_DEACTIVATION",
      status: "WAITING",
      ruleVersion: 1,
      reason: "It ends",
    });
    expect(await scene.stops()).toEqual([
      expect.objectContaining({ id: data.id, byKind: "API_KEY", byName: "brightpay", reason: "It ends" }),
    ]);
    await scene.ask();
    await sendNotices(scene.services, { isSandboxBank: true }, 10);
    const { rows } = await database.ownerPool.query(
      "select count(*)::int as count from notices where subject_id = $1 and kind = 'RULE_DEACTIVATION_PROPOSED'",
      [data.id],
    );
    expect(rows).toEqual([{ count: 1 }]);
  });

  it("is in the inbox once for each rule, until it is decided or over", async () => {
    const scene = await arrange();
    const other = await scene.organization.addKey(anythingWithRules(true), "other");
    await scene.ask();
    await scene.ask(other.text);
    expect(await scene.inbox()).toEqual({
      count: 1,
      listed: [
        expect.objectContaining({
          href: ruleHref(scene.ruleId),
          proposedBy: { kind: "API_KEY", name: "brightpay" },
        }),
      ],
    });
    const stranger = await createTestOrganization(database, scene.services);
    expect((await scene.inbox(stranger.owner)).count).toBe(0);
    await scene.stop();
    expect(await scene.inbox()).toEqual({ count: 0, listed: [] });
  });

  it("answers with the one that waits when it is repeated, and replays an idempotency key", async () => {
    const { ask } = await arrange();
    const first = await ask();
    const again = await ask();
    expect(again).toEqual(first);
    const headers = { "idempotency-key": "stop-1" };
    expect((await ask(undefined, headers)).data.id).toBe(first.data.id);
    expect((await ask(undefined, headers)).data.id).toBe(first.data.id);
  });

  it("is one proposal, however many requests of a key arrive at once", async () => {
    const { ask, stops } = await arrange();
    const answers = await Promise.all(Array.from({ length: 4 }, () => ask()));
    expect(new Set(answers.map(({ data }) => data.id)).size).toBe(1);
    expect(await stops()).toHaveLength(1);
  });

  it("is approved by a member's deactivation, of all keys that proposed it", async () => {
    const scene = await arrange();
    const other = await scene.organization.addKey(anythingWithRules(true), "other");
    const [mine, theirs] = [await scene.ask(), await scene.ask(other.text)];
    expect(await scene.stop()).toEqual({ kind: "DONE" });
    for (const { data } of [mine, theirs]) {
      expect(await scene.get(data.id)).toMatchObject({
        status: "APPROVED",
        decision: { outcome: "APPROVED" },
      });
    }
  });

  it("is denied by a member, and the rule keeps running", async () => {
    const scene = await arrange();
    const { data } = await scene.ask();
    expect(await keepRuleActive(scene.services, scene.owner(), data.id)).toEqual({ kind: "KEPT" });
    expect(await scene.get(data.id)).toMatchObject({ status: "DENIED" });
    expect(await keepRuleActive(scene.services, scene.owner(), data.id)).toMatchObject({ kind: "REFUSED" });
    expect(await scene.stop()).toEqual({ kind: "DONE" });
    expect(await scene.get(data.id)).toMatchObject({ status: "DENIED" });
    const viewer = await scene.organization.addMember("VIEWER", "Vic");
    await expect(keepRuleActive(scene.services, viewer, data.id)).rejects.toMatchObject({
      code: "ACCESS_DENIED",
    });
  });

  it("says that a rule is not active already", async () => {
    const scene = await arrange();
    await scene.stop();
    expect(await scene.ask()).toMatchObject({ status: 403, code: "RULE_DEACTIVATED" });
  });

  it("expires like others, and can be proposed again", async () => {
    const scene = await arrange();
    const { data } = await scene.ask();
    scene.clock.advance(DAY_MS);
    expect(await scene.get(data.id)).toMatchObject({ status: "EXPIRED" });
    const again = await scene.ask();
    expect(again.data.id).not.toBe(data.id);
    scene.clock.advance(DAY_MS);
    expect(await expireProposals(scene.services, 10)).toBeGreaterThan(0);
    expect(await scene.get(again.data.id)).toMatchObject({ status: "EXPIRED" });
    expect(await scene.stops()).toEqual([]);
  });

  it("ends with the access of its key", async () => {
    const scene = await arrange();
    const { data } = await scene.ask();
    await revokeApiKey(scene.services, scene.owner(), scene.key.id);
    const reader = await scene.organization.addKey([{ type: "READ_RULES", rules: "ALL" }]);
    const answer = await scene.call(reader.text, "GET", `/proposals/${data.id}`);
    expect(Object(answer.body).data).toMatchObject({ status: "REVOKED", decision: { outcome: "REVOKED" } });
  });

  it("finds the rule stopped when a member's deactivation came first", async () => {
    const scene = await arrange();
    const event = {
      organizationId: scene.organization.organizationId,
      ruleId: scene.ruleId,
      version: 1,
      userId: scene.owner().actor.id,
      method: null,
      digest: null,
      eventId: "019aa2d4-1c25-7d10-8a4e-3b7c5f9e2d1e",
      now: scene.clock.now(),
    };
    const { hasWaited, result } = await overlap(
      database,
      (client) => client.query("select deactivate_rule($1)", [JSON.stringify(event)]),
      () => scene.ask(),
    );
    expect(hasWaited).toBe(true);
    expect(result).toMatchObject({ status: 403, code: "RULE_DEACTIVATED" });
  });

  it("has one winner when a member denies it while another deactivates", async () => {
    const scene = await arrange();
    const { data } = await scene.ask();
    const { result } = await overlap(
      database,
      (client) =>
        client.query("select keep_rule_active($1, $2, $3, $4)", [
          scene.organization.organizationId,
          data.id,
          scene.owner().actor.id,
          scene.clock.now(),
        ]),
      () => scene.stop(),
    );
    expect(result).toEqual({ kind: "DONE" });
    expect(await scene.get(data.id)).toMatchObject({ status: "DENIED" });
  });
});
