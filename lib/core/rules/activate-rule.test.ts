import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RuleChangeResult } from "@/lib/contract/confirmation/decision";
import { type RuleDefinition, ruleDefinitionSchema } from "@/lib/contract/rules/rule";
import { closeAccount } from "@/lib/core/ledger/close-account";
import { activateRule } from "@/lib/core/rules/activate-rule";
import { beginRuleAct, deleteRule, discardVersion, resumeRule } from "@/lib/core/rules/change-rule";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { beginEnrollment, finishEnrollment } from "@/lib/core/sign-in/passkeys";
import { findCycle, type JoinedRule } from "@/lib/engine/check-activation";
import { newId } from "@/lib/platform/ids";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { proofSeed, proofSize } from "@/lib/testing/proof-size";
import {
  activate,
  deactivate,
  editRule,
  inspectVersion,
  readyToActivate,
  writeRule,
} from "@/lib/testing/rules/rules";
import { createTestServices } from "@/lib/testing/services";
import { SoftwareAuthenticator } from "@/lib/testing/software-authenticator";

const database = useTestDatabase();

async function arrange(podNames = ["A", "B", "C"]) {
  const { services } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const { owner, organizationId } = organization;
  const pods: string[] = [];
  for (const name of podNames) pods.push(await organization.addAccount({ name, type: "POD" }));
  const key = await organization.addKey([{ type: "CREATE_AND_EDIT_RULES", rules: "ALL" }]);
  const propose = (definition: RuleDefinition) => writeRule(services, key.context, definition);
  const edit = (ruleId: string, definition: RuleDefinition) =>
    editRule(services, key.context, ruleId, definition);
  const look = async (ruleId: string) => {
    const { rows } = await database.ownerPool.query(
      `select latest_version as "latestVersion", active_version as "activeVersion",
          active_trigger_type as "activeTriggerType", active_trigger_account_id as "activeTriggerAccountId",
          active_minimum_in_cents as "activeMinimumInCents",
          next_run_at as "nextRunAt", activated_by as "activatedBy", paused_at is not null as "isPaused",
          deleted_at is not null as "isDeleted", name
         from rules where organization_id = $1 and id = $2`,
      [organizationId, ruleId],
    );
    return rows[0];
  };
  const events = async (ruleId: string) => {
    const { rows } = await database.ownerPool.query<{ event: string }>(
      `select concat_ws(' ', kind, version, method) as event from rule_events
        where organization_id = $1 and rule_id = $2 order by id`,
      [organizationId, ruleId],
    );
    return rows.map((row) => row.event);
  };
  const pause = (ruleId: string) =>
    database.ownerPool.query(
      "update rules set paused_at = now(), paused_by_transfer_id = $3 where organization_id = $1 and id = $2",
      [organizationId, ruleId, newId(owner.now)],
    );
  return { services, organization, organizationId, owner, pods, propose, edit, look, events, pause };
}

const rule = (trigger: object, from: string, to: string, more: object = {}): RuleDefinition =>
  ruleDefinitionSchema.parse({
    name: "Rule",
    trigger,
    steps: [
      {
        actions: [{ type: "REMAINDER", sourceAccountId: from, destinationAccountId: to, group: 0 }],
      },
    ],
    ...more,
  });
const onArrival = (from = "", to = "", more: object = {}) =>
  rule({ type: "ON_FUNDS_TRANSFERRED", accountId: from, minimumAmountInCents: 5_000 }, from, to, more);

const kinds = (results: RuleChangeResult[]) => results.map((result) => result.kind).sort();

describe("an activation", () => {
  it("makes the version that was shown the active one and records who did it", async () => {
    const { services, owner, pods, propose, edit, look, events } = await arrange();
    const [a, b, c] = pods;
    const ruleId = await propose(onArrival(a, b));
    expect(await activate(services, owner, ruleId)).toEqual({ kind: "DONE" });
    expect(await look(ruleId)).toMatchObject({
      activeVersion: 1,
      activeTriggerType: "ON_FUNDS_TRANSFERRED",
      activeTriggerAccountId: a,
      activeMinimumInCents: 5_000,
      nextRunAt: null,
      activatedBy: owner.actor.id,
    });
    await edit(ruleId, onArrival(a, c));
    expect(await look(ruleId)).toMatchObject({ latestVersion: 2, activeVersion: 1 });
    expect(await activate(services, owner, ruleId, 2)).toEqual({ kind: "DONE" });
    // An earlier version can be activated again.
    expect(await activate(services, owner, ruleId, 1)).toEqual({ kind: "DONE" });
    expect(await events(ruleId)).toEqual([
      "ACTIVATED 1 RECENT_SIGN_IN",
      "ACTIVATED 2 RECENT_SIGN_IN",
      "ACTIVATED 1 RECENT_SIGN_IN",
    ]);
  });

  it("does nothing if what was shown has changed, and says what changed", async () => {
    const { services, owner, organization, pods, propose, look } = await arrange();
    const [a, b] = pods;
    const first = await propose(onArrival(a, b));
    const second = await propose(onArrival(b, await organization.addAccount({ name: "D", type: "POD" })));
    const { digest } = await inspectVersion(services, owner, first, 1);
    await activate(services, owner, second);
    const input = { act: "ACTIVATE", ruleId: first, version: 1, confirmation: { kind: "NONE" } } as const;
    expect(await activateRule(services, owner, { ...input, digest })).toEqual({
      kind: "CHANGED",
      changes: ["The rules that it triggers changed."],
    });
    const renamed = await inspectVersion(services, owner, first, 1);
    await database.ownerPool.query("update accounts set name = 'Renamed' where id = $1", [b]);
    expect(await activateRule(services, owner, { ...input, digest: renamed.digest })).toMatchObject({
      kind: "CHANGED",
    });
    expect(await look(first)).toMatchObject({ activeVersion: null });
  });

  it("shows a flag if the name of the rule, an account or its beneficiary looks like another one", async () => {
    const { services, owner, organization, organizationId, pods, propose } = await arrange();
    const [a, b] = pods;
    const first = await propose(onArrival(a, b, { name: "Payday" }));
    const names = async (ruleId: string) => {
      const { checks } = await inspectVersion(services, owner, ruleId, 1);
      return checks.flatMap((check) => (check.kind === "LOOK_ALIKE" ? check.names : []));
    };
    expect(await names(first)).toEqual([]);
    // Contains Cyrillic letters.
    const second = await propose(onArrival(a, b, { name: "P\u0430yday" }));
    const twin = { kind: "RULE", name: "P\u0430yday", otherName: "Payday" };
    expect(await names(second)).toEqual([twin]);
    const { rows } = await database.ownerPool.query(
      `insert into beneficiaries select organization_id, gen_random_uuid(), replace(name, 'o', '\u043e'), 'BUSINESS', now()
         from beneficiaries where organization_id = $1 returning name`,
      [organizationId],
    );
    const { name } = await organization.addAccount({ name: "\u0410", type: "POD" }).then(() => rows[0]);
    expect(await names(second)).toEqual([
      { kind: "ACCOUNT", name: "A", otherName: "\u0410" },
      { kind: "BENEFICIARY", name: name.replaceAll("\u043e", "o"), otherName: name },
      twin,
    ]);
  });

  it("is refused while a check blocks it, even if the page showed that", async () => {
    const { services, owner, pods, propose, look } = await arrange();
    const [a = "", b = ""] = pods;
    const ruleId = await propose(rule({ type: "ON_FUNDS_TRANSFERRED", accountId: a }, b, a));
    expect(await activate(services, owner, ruleId)).toMatchObject({ kind: "REFUSED" });
    expect(await look(ruleId)).toMatchObject({ activeVersion: null });
  });

  it("activates the version that it names, despite edits at the same moment", async () => {
    const { services, owner, pods, propose, edit, look } = await arrange();
    const [a, b, c] = pods;
    const ruleId = await propose(onArrival(a, b));
    const [result] = await Promise.all([
      activate(services, owner, ruleId, 1),
      ...Array.from({ length: 5 }, () => edit(ruleId, onArrival(c, b))),
    ]);
    expect(result).toEqual({ kind: "DONE" });
    expect(await look(ruleId)).toMatchObject({
      latestVersion: 6,
      activeVersion: 1,
      activeTriggerAccountId: a,
    });
  });

  it("is refused to viewers, after an old sign-in, and once the role was lowered", async () => {
    const { services, organization, organizationId, owner, pods, propose, look } = await arrange();
    const ruleId = await propose(onArrival(pods[0], pods[1]));
    for (const role of ["ACCOUNTANT", "VIEWER"] as const) {
      const reader = await organization.addMember(role, role);
      expect(await activate(services, reader, ruleId)).toMatchObject({ kind: "REFUSED" });
      expect(await discardVersion(services, reader, { ruleId, version: 1 })).toMatchObject({
        kind: "REFUSED",
      });
      expect(await deleteRule(services, reader, ruleId)).toMatchObject({ kind: "REFUSED" });
    }
    const stale: Context<MemberActor> = {
      ...owner,
      actor: { ...owner.actor, authenticatedAt: new Date(owner.now.getTime() - 3_600_000) },
    };
    expect(await activate(services, stale, ruleId)).toMatchObject({ kind: "NOT_CONFIRMED" });
    const coOwner = await organization.addMember("CO_OWNER", "Jonas");
    await database.ownerPool.query(
      "update memberships set role = 'VIEWER' where organization_id = $1 and user_id = $2",
      [organizationId, coOwner.actor.id],
    );
    expect(await activate(services, coOwner, ruleId)).toMatchObject({ kind: "REFUSED" });
    expect(await look(ruleId)).toMatchObject({ activeVersion: null });
    const { owner: stranger, services: elsewhere } = await arrange();
    const { digest } = await inspectVersion(services, owner, ruleId, 1);
    const input = { act: "ACTIVATE", ruleId, version: 1, digest, confirmation: { kind: "NONE" } } as const;
    expect(await activateRule(elsewhere, stranger, input)).toMatchObject({ kind: "CHANGED" });
    expect(await look(ruleId)).toMatchObject({ activeVersion: null });
  });

  it("accepts a passkey assertion once, and for this version only", async () => {
    const { services, owner, pods, propose, edit, look } = await arrange();
    const ruleId = await propose(onArrival(pods[0], pods[1]));
    await edit(ruleId, onArrival(pods[0], pods[2]));
    const authenticator = new SoftwareAuthenticator(services.appUrl);
    await finishEnrollment(services, owner.actor, {
      name: "MacBook",
      response: authenticator.create(await beginEnrollment(services, owner.actor)),
    });
    const subject = async (version: number) => ({
      act: "ACTIVATE" as const,
      ruleId,
      version,
      digest: (await inspectVersion(services, owner, ruleId, version)).digest,
    });
    const first = await subject(1);
    const second = await subject(2);
    const request = await beginRuleAct(services, owner.actor, first);
    if (request.kind !== "PASSKEY") throw new Error(`Requested ${request.kind}`);
    const confirmation = { kind: "PASSKEY" as const, response: authenticator.get(request.options) };
    const confirmed = (of: typeof first) => activateRule(services, owner, { ...of, confirmation });
    expect(await confirmed(second)).toMatchObject({ kind: "NOT_CONFIRMED" });
    expect(await confirmed(first)).toEqual({ kind: "DONE" });
    const resumption = { act: "RESUME" as const, ruleId, version: 1, digest: "", confirmation };
    expect(await resumeRule(services, owner, resumption)).toMatchObject({ kind: "NOT_CONFIRMED" });
    expect(await confirmed(first)).toMatchObject({ kind: "NOT_CONFIRMED" });
    expect(await activate(services, owner, ruleId, 2)).toMatchObject({ kind: "NOT_CONFIRMED" });
    expect(await look(ruleId)).toMatchObject({ activeVersion: 1 });
  });

  it("and the closing of an account that it needs never both succeed", async () => {
    const { services, owner, pods, propose, look } = await arrange(
      Array.from({ length: proofSize(8, 40) + 1 }, (_, index) => `Pod ${index}`),
    );
    const [destination = "", ...sources] = pods;

    for (const source of sources) {
      const ruleId = await propose(rule({ type: "MANUAL", accountId: destination }, destination, source));
      const [activation, closing] = await Promise.all([
        activate(services, owner, ruleId),
        closeAccount(services, owner, source),
      ]);
      const isActive = (await look(ruleId)).activeVersion !== null;
      expect(isActive).toBe(activation.kind === "DONE");
      expect(closing.kind).toBe(isActive ? "IN_THE_WAY" : "CLOSED");
    }
  });
});

describe("concurrent activations", () => {
  it("of two rules on one account's arrivals: exactly one wins", async () => {
    for (let round = 0; round < proofSize(4, 30); round += 1) {
      const { services, organization, owner, pods, propose } = await arrange();
      const coOwner = await organization.addMember("CO_OWNER", "Jonas");
      const [a, b, c] = pods;
      const one = await propose(onArrival(a, b));
      const other = await propose(onArrival(a, c));
      const presses = [
        await readyToActivate(services, owner, one),
        await readyToActivate(services, coOwner, other),
      ];
      const results = await Promise.all(presses.map((press) => press()));
      expect(kinds(results)).toEqual(["CHANGED", "DONE"]);
    }
  });

  it("that would close a cycle from both sides: one is refused", async () => {
    for (let round = 0; round < proofSize(4, 30); round += 1) {
      const { services, organization, owner, pods, propose } = await arrange();
      const coOwner = await organization.addMember("CO_OWNER", "Jonas");
      const [a, b] = pods;
      const there = await propose(onArrival(a, b));
      const back = await propose(onArrival(b, a));
      const presses = [
        await readyToActivate(services, owner, there),
        await readyToActivate(services, coOwner, back),
      ];
      const results = await Promise.all(presses.map((press) => press()));
      expect(kinds(results)).toEqual(["CHANGED", "DONE"]);
    }
  });

  it("of two rules on one account's arrivals are refused by the database itself", async () => {
    const { services, owner, organizationId, pods, propose } = await arrange();
    const [a, b, c] = pods;
    await activate(services, owner, await propose(onArrival(a, b)));
    const event = {
      organizationId,
      ruleId: await propose(onArrival(a, c)),
      version: 1,
      userId: owner.actor.id,
      eventId: newId(owner.now),
      now: owner.now,
    };
    await expect(database.pool.query("select activate_rule($1)", [JSON.stringify(event)])).rejects.toThrow(
      "rules_by_arrival",
    );
  });
});

describe("an activated rule", () => {
  it("stops when its active version is deactivated", async () => {
    const { services, owner, pods, propose, edit, look, events } = await arrange();
    const ruleId = await propose(onArrival(pods[0], pods[1]));
    await activate(services, owner, ruleId);
    await edit(ruleId, onArrival(pods[0], pods[2]));
    expect(await deactivate(services, owner, ruleId, 2)).toEqual({
      kind: "CHANGED",
      changes: ["Version 1 is active now."],
    });
    expect(await deactivate(services, owner, ruleId, 1)).toEqual({ kind: "DONE" });
    expect(await deactivate(services, owner, ruleId, 1)).toMatchObject({ kind: "CHANGED" });
    expect(await look(ruleId)).toMatchObject({
      activeVersion: null,
      activeTriggerType: null,
      activeTriggerAccountId: null,
      activatedBy: null,
    });
    expect((await events(ruleId)).at(-1)).toBe("DEACTIVATED 1");
  });

  it("is stopped without a confirmation, by owners and co-owners alone", async () => {
    const { services, organization, owner, pods, propose, look } = await arrange();
    const ruleId = await propose(onArrival(pods[0], pods[1]));
    await activate(services, owner, ruleId);
    const authenticator = new SoftwareAuthenticator(services.appUrl);
    await finishEnrollment(services, owner.actor, {
      name: "MacBook",
      response: authenticator.create(await beginEnrollment(services, owner.actor)),
    });
    const reader = await organization.addMember("VIEWER", "Tomas");
    expect(await deactivate(services, reader, ruleId)).toMatchObject({ kind: "REFUSED" });
    expect(await look(ruleId)).toMatchObject({ activeVersion: 1 });
    const longAgo = { ...owner, actor: { ...owner.actor, authenticatedAt: new Date(0) } };
    expect(await deactivate(services, longAgo, ruleId)).toEqual({ kind: "DONE" });
    expect(await look(ruleId)).toMatchObject({ activeVersion: null });
  });

  it("continues after a pause when a person resumes it, once", async () => {
    const { services, owner, pods, propose, look, events, pause } = await arrange();
    const ruleId = await propose(onArrival(pods[0], pods[1]));
    await activate(services, owner, ruleId);
    await pause(ruleId);
    const input = {
      act: "RESUME",
      ruleId,
      version: 1,
      digest: "",
      confirmation: { kind: "NONE" },
    } as const;
    expect(await resumeRule(services, owner, input)).toEqual({ kind: "DONE" });
    expect(await look(ruleId)).toMatchObject({ isPaused: false, activeVersion: 1 });
    expect(await resumeRule(services, owner, input)).toMatchObject({ kind: "CHANGED" });
    expect((await events(ruleId)).at(-1)).toBe("RESUMED 1 RECENT_SIGN_IN");
  });

  it("has the highest remaining version as its latest after versions are discarded", async () => {
    const { services, owner, organizationId, pods, propose, edit, look, events } = await arrange();
    const [a, b, c] = pods;
    const ruleId = await propose(onArrival(a, b, { name: "One" }));
    await activate(services, owner, ruleId);
    await edit(ruleId, onArrival(c, b, { name: "Two" }));
    await edit(ruleId, onArrival(c, b, { name: "Three" }));
    const discard = (version: number) => discardVersion(services, owner, { ruleId, version });
    expect(await discard(2)).toMatchObject({ kind: "CHANGED" });
    expect(await discard(3)).toEqual({ kind: "DONE" });
    expect(await discard(2)).toEqual({ kind: "DONE" });
    expect(await look(ruleId)).toMatchObject({ latestVersion: 1, activeVersion: 1, name: "One" });
    expect(await discard(1)).toMatchObject({ kind: "CHANGED" });
    expect(await activate(services, owner, ruleId, 3)).toEqual({
      kind: "CHANGED",
      changes: ["Version 3 was discarded."],
    });
    const event = {
      organizationId,
      ruleId,
      version: 3,
      userId: owner.actor.id,
      eventId: newId(owner.now),
      now: owner.now,
    };
    await expect(
      database.pool.query("select activate_rule($1)", [JSON.stringify(event)]),
      "not even by a fault of the application",
    ).rejects.toThrow("no rows");
    // Version numbers are never reused.
    await edit(ruleId, onArrival(a, c));
    expect(await look(ruleId)).toMatchObject({ latestVersion: 4 });
    expect(await events(ruleId)).toEqual(["ACTIVATED 1 RECENT_SIGN_IN", "DISCARDED 3", "DISCARDED 2"]);
  });

  it("is deleted with its only version, or by deleting it while no version is active", async () => {
    const { services, owner, pods, propose, look, events } = await arrange();
    const only = await propose(onArrival(pods[0], pods[1]));
    expect(await discardVersion(services, owner, { ruleId: only, version: 1 })).toEqual({ kind: "DELETED" });
    expect(await look(only)).toMatchObject({ isDeleted: true });
    expect(await events(only)).toEqual(["DISCARDED 1", "DELETED"]);
    const other = await propose(onArrival(pods[0], pods[1]));
    await activate(services, owner, other);
    expect(await deleteRule(services, owner, other)).toMatchObject({ kind: "CHANGED" });
    await deactivate(services, owner, other);
    expect(await deleteRule(services, owner, other)).toEqual({ kind: "DONE" });
    expect(await activate(services, owner, other)).toEqual({
      kind: "CHANGED",
      changes: ["This rule was deleted."],
    });
  });
});

describe("after any sequence of edits and activations", () => {
  const POD_COUNT = 4;
  const pod = fc.integer({ min: 0, max: POD_COUNT - 1 });
  const route = fc.tuple(pod, pod).filter(([from, to]) => from !== to);
  const act = fc.oneof(
    fc.record({ kind: fc.constant("CREATE" as const), route }),
    fc.record({ kind: fc.constant("EDIT" as const), rule: fc.nat(5), route }),
    fc.record({ kind: fc.constant("ACTIVATE" as const), rule: fc.nat(5), version: fc.nat(3) }),
    fc.record({ kind: fc.constant("DEACTIVATE" as const), rule: fc.nat(5) }),
    fc.record({ kind: fc.constant("DISCARD" as const), rule: fc.nat(5) }),
  );

  it("active rules form no cycle, and each account's arrivals have at most one rule", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 6, maxLength: 24 }), async (acts) => {
        const { services, organizationId, owner, pods, propose, edit, look } = await arrange(
          Array.from({ length: POD_COUNT }, (_, index) => `Pod ${index}`),
        );
        const ruleIds: string[] = [];
        const definition = ([from, to]: readonly [number, number]) => onArrival(pods[from], pods[to]);
        for (const one of acts) {
          if (one.kind === "CREATE") {
            ruleIds.push(await propose(definition(one.route)));
            continue;
          }
          const ruleId = ruleIds[one.rule % Math.max(1, ruleIds.length)];
          const state = ruleId ? await look(ruleId) : null;
          if (!ruleId || state.isDeleted) continue;
          if (one.kind === "EDIT") await edit(ruleId, definition(one.route));
          const { latestVersion, activeVersion } = state;
          if (one.kind === "ACTIVATE")
            await activate(services, owner, ruleId, 1 + (one.version % latestVersion));
          if (one.kind === "DEACTIVATE" && activeVersion)
            await deactivate(services, owner, ruleId, activeVersion);
          if (one.kind === "DISCARD")
            await discardVersion(services, owner, { ruleId, version: latestVersion });
        }
        const active = await readActive(organizationId);
        for (const one of active) {
          expect(
            findCycle(
              one,
              active.filter((other) => other !== one),
            ),
          ).toEqual([]);
        }
        expect(new Set(active.map((one) => one.trigger.accountId)).size).toBe(active.length);
      }),
      { numRuns: proofSize(25, 300), seed: proofSeed },
    );
  });

  async function readActive(organizationId: string): Promise<JoinedRule[]> {
    const { rows } = await database.ownerPool.query(
      `select r.id, v.definition from rules r join rule_versions v on v.organization_id = r.organization_id
          and v.rule_id = r.id and v.version = r.active_version where r.organization_id = $1`,
      [organizationId],
    );
    return rows.map((row) => ({ ...ruleDefinitionSchema.parse(row.definition), id: row.id, name: row.id }));
  }
});
