/**
 * Goal: where the policy asks for several people, nothing that protects lets more through before all of them have signed
 * exactly that change; tightening stays free. Method: each command that loosens a limit, against a real PostgreSQL; then what
 * could slip in between two signatures.
 */
import { describe, expect, it } from "vitest";
import type { CarriedOut, WantedChangeKind } from "@/lib/contract/policies/asked-change";
import type { Policy } from "@/lib/contract/policies/policy";
import { expireProposals, remindDeciders } from "@/lib/core/approvals/expire-proposals";
import { endAskedChange, signAskedChange } from "@/lib/core/asked-changes/sign-asked-change";
import { authenticateApiKey } from "@/lib/core/keys/authenticate-api-key";
import { replaceApiKey } from "@/lib/core/keys/replace-api-key";
import { revokeApiKey } from "@/lib/core/keys/revoke-api-key";
import { setKeyCap } from "@/lib/core/keys/set-key-cap";
import { editAccount } from "@/lib/core/ledger/edit-account";
import { setNewPodFloor } from "@/lib/core/ledger/set-new-pod-floor";
import { setPayeeCoolOff } from "@/lib/core/payees/set-cool-off";
import { readAskedChange, signedChangeOf } from "@/lib/core/policies/asked-changes";
import { readChangeSigning } from "@/lib/core/policies/sign-change";
import { makeHookSecret, setHookApproval } from "@/lib/core/rules/rule-hooks";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { setOutgoingCap } from "@/lib/core/transfers/outgoing-cap";
import { createConfirmedApiKey } from "@/lib/testing/as-entered";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { overlap } from "@/lib/testing/overlap";
import { anyDeciders, asks, named, policyOf, putInForce } from "@/lib/testing/policies";
import { writeRule } from "@/lib/testing/rules/rules";
import { createTestServices } from "@/lib/testing/services";
import { getKey } from "@/lib/views/keys/get-key";
import { listKeys } from "@/lib/views/keys/list-keys";
import { listWaitingChangesOf } from "@/lib/views/policies/list-waiting-changes-of";

const database = useTestDatabase();
const HOUR_MS = 3_600_000;
const NONE = { kind: "NONE" } as const;
const TWO = policyOf(asks([anyDeciders(2)]));
const TWO_OTHERS = policyOf(asks([anyDeciders(2)], { requesterCounts: false }));

/** Mara is the owner and asks; Ana, Ben and Cleo are co-owners. Every limit is set. */
async function arrange(policy?: Policy) {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const { organizationId, owner: mara } = organization;
  const [ana, ben, cleo] = [
    await organization.addMember("CO_OWNER", "Ana"),
    await organization.addMember("CO_OWNER", "Ben"),
    await organization.addMember("CO_OWNER", "Cleo"),
  ];
  const at = (member: Context<MemberActor>) => ({
    ...member,
    now: clock.now(),
    actor: { ...member.actor, authenticatedAt: clock.now() },
  });
  const operating = await organization.addAccount({ name: "Operating", type: "POD", floorInCents: 50_000 });
  const taxes = await organization.addAccount({ name: "Taxes", type: "POD" });
  const key = await organization.addKey(
    [
      {
        type: "MANUAL_TRANSFER",
        entries: [{ source: "ANY", target: "ANY" }],
        approval: { required: false },
      },
    ],
    "sweep",
    30_000,
  );
  await database.ownerPool.query(
    "update organizations set new_pod_floor_in_cents = 10000, outgoing_cap_in_cents = 100000 where id = $1",
    [organizationId],
  );
  const writer = await organization.addKey([{ type: "CREATE_AND_EDIT_RULES", rules: "ALL" }], "writer");
  const ruleId = await writeRule(
    services,
    { ...writer.context, now: clock.now() },
    {
      name: "Sweep",
      trigger: { type: "MANUAL", accountId: operating },
      steps: [
        {
          actions: [{ type: "REMAINDER", sourceAccountId: operating, destinationAccountId: taxes, group: 0 }],
        },
      ],
    },
  );
  await makeHookSecret(services, at(mara), ruleId);
  const publish = (next: Policy) => putInForce(database, organizationId, mara.actor.id, next);
  if (policy) await publish(policy);

  const editFloor = async (floorInCents: number | null, member = mara) => {
    const { rows } = await database.pool.query<{ updatedAt: Date }>(
      `select updated_at as "updatedAt" from accounts where organization_id = $1 and id = $2`,
      [organizationId, operating],
    );
    return editAccount(services, at(member), {
      accountId: operating,
      seenUpdatedAt: rows[0]?.updatedAt.toISOString() ?? "",
      name: "Operating",
      description: null,
      floorInCents,
      savingsTargetInCents: null,
      linkedAccountId: null,
    });
  };
  const read = async () => {
    const { rows } = await database.pool.query(
      `select a.floor_in_cents as "accountFloor", o.new_pod_floor_in_cents as "newPodFloor",
          o.outgoing_cap_in_cents as "outgoingCap", k.daily_cap_in_cents as "keyCap",
          o.payee_cool_off_hours as "coolOffHours", h.approval_required as "hookApproval"
        from organizations o join accounts a on a.organization_id = o.id and a.id = $2
          join api_keys k on k.organization_id = o.id and k.id = $3
          join rule_hooks h on h.organization_id = o.id and h.rule_id = $4
       where o.id = $1`,
      [organizationId, operating, key.id, ruleId],
    );
    return rows[0];
  };
  const idOf = (result: CarriedOut) => {
    if (result.kind !== "ASKED") throw new Error("It was carried out at once");
    return result.href.split("/").at(-1) ?? "";
  };
  const hashOf = async (id: string) => {
    const asked = await readAskedChange(database.pool, organizationId, id);
    if (!asked) throw new Error("no such change");
    const change = await signedChangeOf(database.pool, organizationId, asked);
    return (await readChangeSigning(database.pool, at(mara), change))?.hash ?? "";
  };
  const sign = async (id: string, member: Context<MemberActor>) =>
    signAskedChange(services, at(member), { id, hash: await hashOf(id), confirmation: NONE });
  const end = (id: string, member: Context<MemberActor>) => endAskedChange(services, at(member), id);
  const stateOf = async (id: string) => (await readAskedChange(database.pool, organizationId, id))?.state;
  const setRole = (member: Context<MemberActor>, role: string) =>
    database.ownerPool.query("update memberships set role = $3 where organization_id = $1 and user_id = $2", [
      organizationId,
      member.actor.id,
      role,
    ]);
  const notices = async (kind: string) => {
    const { rows } = await database.ownerPool.query<{ name: string }>(
      `select u.name from notices n join users u on u.id = n.user_id
        where n.organization_id = $1 and n.kind = $2 order by u.name`,
      [organizationId, kind],
    );
    return rows.map(({ name }) => name);
  };
  const kindsOfNotices = async () => {
    const { rows } = await database.ownerPool.query<{ kind: string }>(
      "select distinct kind from notices where organization_id = $1",
      [organizationId],
    );
    return rows.map(({ kind }) => kind);
  };
  return {
    ...{ taxes, kindsOfNotices },
    ...{ services, clock, organization, organizationId, mara, ana, ben, cleo, publish, at, operating },
    ...{ keyId: key.id, ruleId, editFloor, read, idOf, hashOf, sign, end, stateOf, setRole, notices },
  };
}

type Scene = Awaited<ReturnType<typeof arrange>>;

/** Every command that lets more through, with a call that does, and one that lets less through. */
const LOOSENING: Record<
  string,
  {
    loosen: (scene: Scene) => Promise<CarriedOut>;
    tighten: (scene: Scene) => Promise<CarriedOut>;
    before: object;
    after: object;
  }
> = {
  "the floor of an account": {
    loosen: (scene) => scene.editFloor(null),
    tighten: (scene) => scene.editFloor(90_000),
    before: { accountFloor: 50_000 },
    after: { accountFloor: null },
  },
  "the floor of new pods": {
    loosen: ({ services, at, mara }) => setNewPodFloor(services, at(mara), { floorInCents: 5_000 }),
    tighten: ({ services, at, mara }) => setNewPodFloor(services, at(mara), { floorInCents: 20_000 }),
    before: { newPodFloor: 10_000 },
    after: { newPodFloor: 5_000 },
  },
  "the cap on money out": {
    loosen: ({ services, at, mara }) => setOutgoingCap(services, at(mara), { capInCents: null }),
    tighten: ({ services, at, mara }) => setOutgoingCap(services, at(mara), { capInCents: 50_000 }),
    before: { outgoingCap: 100_000 },
    after: { outgoingCap: null },
  },
  "the cap of a key": {
    loosen: ({ services, at, mara, keyId }) =>
      setKeyCap(services, at(mara), { keyId, dailyCapInCents: 40_000 }),
    tighten: ({ services, at, mara, keyId }) =>
      setKeyCap(services, at(mara), { keyId, dailyCapInCents: 10_000 }),
    before: { keyCap: 30_000 },
    after: { keyCap: 40_000 },
  },
  "the cool-off of payees": {
    loosen: ({ services, at, mara }) =>
      setPayeeCoolOff(services, at(mara), { aboveInCents: 50_000, hours: 1 }),
    tighten: ({ services, at, mara }) =>
      setPayeeCoolOff(services, at(mara), { aboveInCents: 50_000, hours: 100 }),
    before: { coolOffHours: 24 },
    after: { coolOffHours: 1 },
  },
  "the approval of a webhook": {
    loosen: ({ services, at, mara, ruleId }) =>
      setHookApproval(services, at(mara), { ruleId, isRequired: false }),
    tighten: ({ services, at, mara, ruleId }) =>
      setHookApproval(services, at(mara), { ruleId, isRequired: true }),
    before: { hookApproval: true },
    after: { hookApproval: false },
  },
};

describe.each(Object.entries(LOOSENING))("%s", (_name, { loosen, tighten, before, after }) => {
  it("stays as it is until the last signature, and is tightened by one person", async () => {
    const scene = await arrange(TWO_OTHERS);
    const { read, sign, idOf, stateOf, notices, mara, ana, ben } = scene;
    expect(await read()).toMatchObject(before);
    const id = idOf(await loosen(scene));
    expect(await read()).toMatchObject(before);
    expect(await notices("CHANGE_SIGNATURE_ASKED")).toEqual(["Ana", "Ben", "Cleo"]);
    expect(await sign(id, mara)).toMatchObject({ kind: "REFUSED" });
    expect(await sign(id, ana)).toEqual({ kind: "SIGNED" });
    expect(await sign(id, ana)).toMatchObject({ kind: "REFUSED" });
    expect(await read()).toMatchObject(before);
    expect(await sign(id, ben)).toEqual({ kind: "CARRIED_OUT" });
    expect(await read()).toMatchObject(after);
    expect(await stateOf(id)).toBe("DONE");
    expect(await notices("CHANGE_ENDED")).toEqual(["Mara"]);
    expect(await tighten(scene)).toEqual({ kind: "DONE" });
    expect(await sign(id, ben)).toMatchObject({ kind: "REFUSED" });
  });

  it("is carried out at once without a policy, and where the requester alone suffices", async () => {
    const scene = await arrange();
    expect(await loosen(scene)).toEqual({ kind: "DONE" });
    expect(await scene.read()).toMatchObject(after);
    const alone = await arrange(policyOf(asks([anyDeciders(1)])));
    expect(await loosen(alone)).toEqual({ kind: "DONE" });
    expect(await alone.read()).toMatchObject(after);
  });
});

describe("a change that waits for signatures", () => {
  it("counts its requester's confirmation as a signature where the requester counts", async () => {
    const scene = await arrange(TWO);
    const id = scene.idOf(await scene.editFloor(10_000));
    expect(await scene.notices("CHANGE_SIGNATURE_ASKED")).toEqual(["Ana", "Ben", "Cleo"]);
    expect(await scene.sign(id, scene.mara)).toMatchObject({ kind: "REFUSED" });
    expect(await scene.sign(id, scene.cleo)).toEqual({ kind: "CARRIED_OUT" });
    expect(await scene.read()).toMatchObject({ accountFloor: 10_000 });
  });

  it("is carried out once when two sign last at the same time", async () => {
    const scene = await arrange(TWO_OTHERS);
    const id = scene.idOf(await scene.editFloor(null));
    await scene.sign(id, scene.ana);
    const results = await Promise.all([scene.sign(id, scene.ben), scene.sign(id, scene.cleo)]);
    expect(results.map(({ kind }) => kind).sort()).toEqual(["CARRIED_OUT", "REFUSED"]);
    const { rows } = await database.pool.query(
      "select from organization_changes where organization_id = $1 and kind = 'ACCOUNT_FLOOR'",
      [scene.organizationId],
    );
    expect(rows).toHaveLength(1);
  });

  it("needs what a policy asks that was published between two signatures", async () => {
    const scene = await arrange(TWO);
    const id = scene.idOf(await scene.editFloor(null));
    await scene.publish(policyOf(asks([anyDeciders(3)])));
    expect(await scene.sign(id, scene.ana)).toEqual({ kind: "SIGNED" });
    expect(await scene.read()).toMatchObject({ accountFloor: 50_000 });
    expect(await scene.sign(id, scene.ben)).toEqual({ kind: "CARRIED_OUT" });
  });

  it("waits for a policy that is being published", async () => {
    const scene = await arrange(TWO);
    const id = scene.idOf(await scene.editFloor(null));
    const subject = { id, hash: await scene.hashOf(id), confirmation: NONE };
    const { hasWaited, result } = await overlap(
      database,
      async (client) => {
        await client.query("select from organizations where id = $1 for no key update", [
          scene.organizationId,
        ]);
        await client.query(
          `update approval_policies set definition = $2 where organization_id = $1 and state = 'IN_FORCE'`,
          [scene.organizationId, JSON.stringify(policyOf(asks([anyDeciders(3)])))],
        );
      },
      () => signAskedChange(scene.services, scene.at(scene.ana), subject),
    );
    expect({ hasWaited, result }).toEqual({ hasWaited: true, result: { kind: "SIGNED" } });
    expect(await scene.read()).toMatchObject({ accountFloor: 50_000 });
  });

  it("loses the signature of who no longer decides, also when they decide again", async () => {
    const scene = await arrange(TWO_OTHERS);
    const id = scene.idOf(await scene.editFloor(null));
    await scene.sign(id, scene.ana);
    await scene.setRole(scene.ana, "VIEWER");
    await scene.setRole(scene.ana, "CO_OWNER");
    expect(await scene.sign(id, scene.ben)).toEqual({ kind: "SIGNED" });
    expect(await scene.read()).toMatchObject({ accountFloor: 50_000 });
    expect(await scene.sign(id, scene.cleo)).toEqual({ kind: "CARRIED_OUT" });
  });

  it("ends when its requester no longer decides or leaves", async () => {
    const scene = await arrange(TWO_OTHERS);
    const lower = scene.idOf(await scene.editFloor(null, scene.ana));
    const cap = scene.idOf(
      await setKeyCap(scene.services, scene.at(scene.ben), { keyId: scene.keyId, dailyCapInCents: null }),
    );
    await scene.sign(lower, scene.ben);
    await scene.setRole(scene.ana, "VIEWER");
    await database.ownerPool.query("delete from memberships where organization_id = $1 and user_id = $2", [
      scene.organizationId,
      scene.ben.actor.id,
    ]);
    for (const id of [lower, cap]) {
      expect(await scene.stateOf(id)).toBe("WITHDRAWN");
      expect(await scene.sign(id, scene.cleo)).toMatchObject({ kind: "REFUSED" });
    }
    expect(await scene.read()).toMatchObject({ accountFloor: 50_000, keyCap: 30_000 });
  });

  it("on more money out is outdated once its requester is no longer an owner", async () => {
    const scene = await arrange(TWO_OTHERS);
    const id = scene.idOf(await setOutgoingCap(scene.services, scene.at(scene.mara), { capInCents: null }));
    await scene.sign(id, scene.ana);
    await scene.setRole(scene.mara, "CO_OWNER");
    expect(await scene.sign(id, scene.ben)).toMatchObject({ kind: "CHANGED" });
    expect(await scene.read()).toMatchObject({ outgoingCap: 100_000 });
    expect(await scene.stateOf(id)).toBe("OUTDATED");
  });

  it("is withdrawn by its requester and denied by anyone else who decides, also while it is signed", async () => {
    const scene = await arrange(TWO_OTHERS);
    const first = scene.idOf(await scene.editFloor(null));
    await scene.sign(first, scene.ana);
    const [ended, signed] = await Promise.allSettled([
      scene.end(first, scene.mara),
      scene.sign(first, scene.ben),
    ]);
    const isWithdrawn = ended.status === "fulfilled";
    expect(signed).toMatchObject({ value: { kind: isWithdrawn ? "REFUSED" : "CARRIED_OUT" } });
    expect(await scene.stateOf(first)).toBe(isWithdrawn ? "WITHDRAWN" : "DONE");
    expect(await scene.read()).toMatchObject({ accountFloor: isWithdrawn ? 50_000 : null });
    const second = scene.idOf(
      await setNewPodFloor(scene.services, scene.at(scene.mara), { floorInCents: null }),
    );
    await scene.end(second, scene.cleo);
    expect(await scene.stateOf(second)).toBe("DENIED");
    await expect(scene.end(second, scene.cleo)).rejects.toMatchObject({ code: "INVALID_PARAMETERS" });
    expect(await scene.sign(second, scene.ana)).toMatchObject({ kind: "REFUSED" });
  });

  it("is replaced by one that is asked again, and outdated by a change of the limit itself", async () => {
    const scene = await arrange(TWO_OTHERS);
    const first = scene.idOf(await scene.editFloor(null));
    await scene.sign(first, scene.ana);
    const second = scene.idOf(await scene.editFloor(20_000));
    expect(await scene.stateOf(first)).toBe("REPLACED");
    expect(await scene.sign(second, scene.ben)).toEqual({ kind: "SIGNED" });
    expect(await scene.editFloor(60_000, scene.cleo)).toEqual({ kind: "DONE" });
    expect(await scene.stateOf(second)).toBe("OUTDATED");
    expect(await scene.sign(second, scene.ana)).toMatchObject({ kind: "REFUSED" });
    expect(await scene.read()).toMatchObject({ accountFloor: 60_000 });
  });

  it("that waits is not asked for twice: it keeps its signatures, its time and its requester", async () => {
    const scene = await arrange(TWO_OTHERS);
    const first = scene.idOf(await scene.editFloor(null));
    await scene.sign(first, scene.ana);
    scene.clock.advance(60_000);
    expect(scene.idOf(await scene.editFloor(null))).toBe(first);
    expect(scene.idOf(await scene.editFloor(null, scene.ben))).toBe(first);
    expect(await scene.sign(first, scene.ben)).toEqual({ kind: "CARRIED_OUT" });
    const again = scene.idOf(
      await setNewPodFloor(scene.services, scene.at(scene.mara), { floorInCents: null }),
    );
    await database.ownerPool.query("update asked_changes set expires_at = $2 where id = $1", [
      again,
      scene.clock.now(),
    ]);
    const later = await setNewPodFloor(scene.services, scene.at(scene.mara), { floorInCents: null });
    expect(scene.idOf(later)).not.toBe(again);
  });

  it("of a requester who may no longer ask for it is asked for again", async () => {
    const scene = await arrange(TWO_OTHERS);
    const lift = (member: Scene["mara"]) =>
      setOutgoingCap(scene.services, scene.at(member), { capInCents: null });
    const first = scene.idOf(await lift(scene.mara));
    await scene.setRole(scene.ana, "OWNER");
    await scene.setRole(scene.mara, "CO_OWNER");
    const second = scene.idOf(await lift(asOwner(scene.ana)));
    expect(second).not.toBe(first);
    await scene.sign(second, scene.ben);
    expect(await scene.sign(second, scene.cleo)).toEqual({ kind: "CARRIED_OUT" });
    expect(await scene.read()).toMatchObject({ outgoingCap: null });
  });

  it("ends when its time is over, after a reminder to those who may sign", async () => {
    const scene = await arrange(
      policyOf(asks([anyDeciders(2)], { requesterCounts: false, expiresAfterHours: 12 })),
    );
    const id = scene.idOf(await scene.editFloor(null));
    await scene.sign(id, scene.ana);
    scene.clock.advance(11 * HOUR_MS);
    await remindDeciders(scene.services, 100);
    await remindDeciders(scene.services, 100);
    expect(await scene.notices("CHANGE_SIGNATURE_REMINDER")).toEqual(["Ben", "Cleo"]);
    scene.clock.advance(HOUR_MS);
    expect(await scene.sign(id, scene.ben)).toMatchObject({ kind: "REFUSED" });
    await expireProposals(scene.services, 100);
    expect(await scene.stateOf(id)).toBe("EXPIRED");
    expect(await scene.notices("CHANGE_ENDED")).toEqual(["Mara"]);
    expect(await scene.read()).toMatchObject({ accountFloor: 50_000 });
  });

  it("is matched by its account, and asks nobody else where the rule names one person", async () => {
    const scene = await arrange();
    const { ana } = scene;
    await scene.publish(
      policyOf(asks([anyDeciders(1)]), {
        ...asks([named([ana.actor.id])]),
        name: "Operating",
        when: { kinds: ["LIMIT"], sourceAccountIds: [scene.operating] },
      }),
    );
    const other = { keyId: scene.keyId, dailyCapInCents: null };
    expect(await setKeyCap(scene.services, scene.at(scene.mara), other)).toEqual({ kind: "DONE" });
    const id = scene.idOf(await scene.editFloor(null));
    expect(await scene.notices("CHANGE_SIGNATURE_ASKED")).toEqual(["Ana"]);
    expect(await scene.sign(id, scene.ben)).toMatchObject({ kind: "REFUSED" });
    expect(await scene.sign(id, ana)).toEqual({ kind: "CARRIED_OUT" });
  });

  it("of another organization is neither read, signed nor ended", async () => {
    const scene = await arrange(TWO_OTHERS);
    const other = await arrange(TWO_OTHERS);
    const id = scene.idOf(await scene.editFloor(null));
    const hash = await scene.hashOf(id);
    expect(await readAskedChange(database.pool, other.organizationId, id)).toBeNull();
    expect(
      await signAskedChange(other.services, other.at(other.ana), { id, hash, confirmation: NONE }),
    ).toMatchObject({ kind: "REFUSED" });
    await expect(other.end(id, other.ana)).rejects.toMatchObject({ code: "INVALID_PARAMETERS" });
    expect(await scene.stateOf(id)).toBe("WAITING");
  });

  it("saves the rest of an edited account with it", async () => {
    const scene = await arrange(TWO_OTHERS);
    const { rows } = await database.pool.query<{ updatedAt: Date }>(
      `select updated_at as "updatedAt" from accounts where organization_id = $1 and id = $2`,
      [scene.organizationId, scene.operating],
    );
    await editAccount(scene.services, scene.at(scene.mara), {
      accountId: scene.operating,
      seenUpdatedAt: rows[0]?.updatedAt.toISOString() ?? "",
      name: "Day to day",
      description: null,
      floorInCents: null,
      savingsTargetInCents: 1_000,
      linkedAccountId: null,
    });
    const saved = await database.pool.query(
      "select name, floor_in_cents as floor, savings_target_in_cents as target from accounts where organization_id = $1 and id = $2",
      [scene.organizationId, scene.operating],
    );
    expect(saved.rows[0]).toEqual({ name: "Day to day", floor: 50_000, target: 1_000 });
  });
});

const asOwner = (member: Context<MemberActor>) => ({
  ...member,
  actor: { ...member.actor, role: "OWNER" as const },
});

describe("the page where it is set", () => {
  const NAMES: [string, WantedChangeKind, string, (scene: Scene) => string][] = [
    ["the floor of an account", "ACCOUNT_FLOOR", "Removing the floor", ({ operating }) => operating],
    [
      "the floor of new pods",
      "NEW_POD_FLOOR",
      "Lowering the default floor to $50.00",
      ({ organizationId }) => organizationId,
    ],
    ["the cap on money out", "OUTGOING_CAP", "Lifting the cap", ({ organizationId }) => organizationId],
    ["the cap of a key", "KEY_CAP", "Raising the daily cap to $400.00", ({ keyId }) => keyId],
    [
      "the cool-off of payees",
      "PAYEE_COOL_OFF",
      "Loosening the cool-off to 1 hour above $500.00",
      ({ organizationId }) => organizationId,
    ],
    ["the approval of a webhook", "HOOK_APPROVAL", "Running it without approval", ({ ruleId }) => ruleId],
  ];

  it.each(NAMES)(
    "says of %s what waits and for whom, until it ends",
    async (name, kind, subject, targetOf) => {
      const scene = await arrange(TWO_OTHERS);
      const asked = LOOSENING[name];
      if (!asked) throw new Error("no such case");
      const list = (member: Context<MemberActor>, whose = targetOf(scene)) =>
        listWaitingChangesOf({ services: scene.services, context: scene.at(member) }, [kind], whose);
      expect(await list(scene.mara)).toEqual([]);
      const id = scene.idOf(await asked.loosen(scene));
      const [forMara, forAna] = [await list(scene.mara), await list(scene.ana)];
      expect(forMara).toMatchObject([{ id, subject, waitsFor: "2 of Ana, Ben and Cleo", maySign: false }]);
      expect(forAna).toMatchObject([{ id, maySign: true }]);
      await scene.sign(id, scene.ana);
      expect(await list(scene.ana)).toMatchObject([{ waitsFor: "Ben or Cleo", maySign: false }]);
      expect(await list(scene.mara, scene.taxes)).toEqual([]);
      const other = await arrange();
      expect(
        await listWaitingChangesOf(
          { services: scene.services, context: other.at(other.mara) },
          [kind],
          targetOf(scene),
        ),
      ).toEqual([]);
      scene.clock.advance(24 * HOUR_MS);
      expect(await list(scene.ana)).toEqual([]);
    },
  );

  it("says of a key that a new one, and a new secret, waits", async () => {
    const scene = await arrange(TWO);
    const { services, at, mara, ben, keyId } = scene;
    await askKey(scene);
    await replaceApiKey(services, at(mara), { keyId, grace: "NONE" });
    await setKeyCap(services, at(mara), { keyId, dailyCapInCents: null });
    const time = { timeZone: "America/New_York", nowAt: scene.clock.now().toISOString(), locale: "en-US" };
    const reading = { services, context: at(ben), time };
    const { waiting } = await listKeys(reading, { showsRevoked: false, showsAll: false });
    expect(waiting).toMatchObject([
      { subject: "The key mara-cli", waitsFor: "Ana, Ben or Cleo", maySign: true },
    ]);
    const view = await getKey(reading, keyId);
    expect(view?.waitingChanges).toMatchObject({
      cap: [{ subject: "Removing the daily cap" }],
      secret: [{ subject: "A new secret of this key" }],
    });
  });
});

const MOVES = [
  {
    type: "MANUAL_TRANSFER" as const,
    entries: [{ source: "ANY" as const, target: "ANY" as const }],
    approval: { required: false },
  },
];

/** A process remembers for two seconds that a secret was unknown: this is another one. */
const afresh = (services: Scene["services"]) => ({ ...services, pool: database.ownerPool });

/** Asks for a key that may move anything. */
async function askKey({ services, at, mara, idOf }: Scene, name = "mara-cli", by = mara) {
  const made = await createConfirmedApiKey(services, at(by), { name, permissions: MOVES });
  if (made.kind !== "ASKED") throw new Error("It was made at once");
  return { id: idOf({ kind: "ASKED", href: made.href }), text: made.text };
}

describe("a key", () => {
  it("opens nothing before the last signature, and is its requester's from then on", async () => {
    const scene = await arrange(TWO_OTHERS);
    const { services, sign, ana, ben, mara, organizationId } = scene;
    const { id, text } = await askKey(scene);
    expect(await authenticateApiKey(services, text)).toBeNull();
    expect(await sign(id, mara)).toMatchObject({ kind: "REFUSED" });
    expect(await sign(id, ana)).toEqual({ kind: "SIGNED" });
    expect(await authenticateApiKey(services, text)).toBeNull();
    expect(await sign(id, ben)).toEqual({ kind: "CARRIED_OUT" });
    expect(await authenticateApiKey(afresh(services), text)).toMatchObject({ actor: { permissions: MOVES } });
    const { rows } = await database.pool.query(
      "select name, created_by from api_keys where organization_id = $1 and name = 'mara-cli'",
      [organizationId],
    );
    expect(rows).toEqual([{ name: "mara-cli", created_by: mara.actor.id }]);
    expect(await scene.kindsOfNotices()).toContain("KEY_CREATED");
  });

  it("that was denied, withdrawn, expired or whose requester left never opens anything", async () => {
    const scene = await arrange(TWO_OTHERS);
    const [denied, withdrawn, left, expired] = [
      await askKey(scene, "denied"),
      await askKey(scene, "withdrawn"),
      await askKey(scene, "left", scene.cleo),
      await askKey(scene, "expired"),
    ];
    await scene.sign(denied.id, scene.ana);
    await scene.end(denied.id, scene.ben);
    await scene.end(withdrawn.id, scene.mara);
    await scene.setRole(scene.cleo, "VIEWER");
    await scene.setRole(scene.cleo, "CO_OWNER");
    scene.clock.advance(24 * HOUR_MS);
    for (const { id, text } of [denied, withdrawn, left, expired]) {
      await scene.sign(id, scene.ana);
      expect(await scene.sign(id, scene.ben)).toMatchObject({ kind: "REFUSED" });
      expect(await authenticateApiKey(afresh(scene.services), text)).toBeNull();
    }
  });

  it("is made once when two sign last at the same time", async () => {
    const scene = await arrange(TWO_OTHERS);
    const { id } = await askKey(scene);
    await scene.sign(id, scene.ana);
    const results = await Promise.all([scene.sign(id, scene.ben), scene.sign(id, scene.cleo)]);
    expect(results.map(({ kind }) => kind).sort()).toEqual(["CARRIED_OUT", "REFUSED"]);
  });

  it("is replaced with the last signature only, and its grace begins then", async () => {
    const scene = await arrange(TWO_OTHERS);
    const { services, at, mara, keyId, sign, ana, ben, clock, idOf } = scene;
    const made = await replaceApiKey(services, at(mara), { keyId, grace: "ONE_HOUR" });
    if (made.kind !== "ASKED") throw new Error("It was replaced at once");
    const id = idOf(made);
    const readOld = async () => {
      const { rows } = await database.pool.query<{ endsAt: Date | null }>(
        `select ends_at as "endsAt" from api_keys where organization_id = $1 and id = $2`,
        [scene.organizationId, keyId],
      );
      return rows[0]?.endsAt?.getTime() ?? null;
    };
    expect([await authenticateApiKey(services, made.text), await readOld()]).toEqual([null, null]);
    clock.advance(2 * HOUR_MS);
    await sign(id, ana);
    expect(await sign(id, ben)).toEqual({ kind: "CARRIED_OUT" });
    expect(await authenticateApiKey(afresh(services), made.text)).not.toBeNull();
    expect(await readOld()).toBe(clock.now().getTime() + HOUR_MS);
  });

  it("is not replaced once its cap was changed or it ended meanwhile", async () => {
    const scene = await arrange(TWO_OTHERS);
    const { services, at, mara, keyId, sign, ana, ben, idOf } = scene;
    const ask = async () => {
      const made = await replaceApiKey(services, at(mara), { keyId, grace: "NONE" });
      if (made.kind !== "ASKED") throw new Error("It was replaced at once");
      return { id: idOf(made), text: made.text };
    };
    const first = await ask();
    await sign(first.id, ana);
    await setKeyCap(services, at(mara), { keyId, dailyCapInCents: 10 });
    expect(await sign(first.id, ben)).toMatchObject({ kind: "CHANGED" });
    expect(await scene.stateOf(first.id)).toBe("OUTDATED");
    const second = await ask();
    await sign(second.id, ana);
    await revokeApiKey(services, at(ben), keyId);
    expect(await sign(second.id, ben)).toMatchObject({ kind: "CHANGED" });
    for (const { text } of [first, second]) expect(await authenticateApiKey(services, text)).toBeNull();
  });

  it("whose account was closed meanwhile is not made", async () => {
    const scene = await arrange(TWO_OTHERS);
    const made = await createConfirmedApiKey(scene.services, scene.at(scene.mara), {
      name: "taxes",
      permissions: [{ type: "READ_ACCOUNTS", accounts: [scene.operating] }],
    });
    if (made.kind !== "ASKED") throw new Error("It was made at once");
    const id = scene.idOf(made);
    await scene.sign(id, scene.ana);
    await database.ownerPool.query("update accounts set deleted_at = now() where id = $1", [scene.operating]);
    expect(await scene.sign(id, scene.ben)).toMatchObject({ kind: "CHANGED" });
    expect(await authenticateApiKey(scene.services, made.text)).toBeNull();
  });

  it("is matched by the accounts that it could move between, and any account concerns all", async () => {
    const scene = await arrange();
    await scene.publish(
      policyOf(asks([anyDeciders(1)]), {
        ...asks([named([scene.ana.actor.id])]),
        name: "Keys for Operating",
        when: { kinds: ["KEY"], sourceAccountIds: [scene.operating] },
      }),
    );
    const make = (source: string, target: string) =>
      createConfirmedApiKey(scene.services, scene.at(scene.mara), {
        name: "sweep",
        permissions: [
          { type: "MANUAL_TRANSFER", entries: [{ source, target }], approval: { required: true } },
        ],
      });
    expect(await make(scene.taxes, scene.operating)).toMatchObject({ kind: "CREATED" });
    expect(await make(scene.operating, scene.taxes)).toMatchObject({ kind: "ASKED" });
    expect(await make("ANY", "ANY")).toMatchObject({ kind: "ASKED" });
  });

  it("of a webhook that runs without approval needs approval again, where others have to sign", async () => {
    const scene = await arrange();
    const { services, at, mara, ruleId } = scene;
    await setHookApproval(services, at(mara), { ruleId, isRequired: false });
    await makeHookSecret(services, at(mara), ruleId);
    expect(await scene.read()).toMatchObject({ hookApproval: false });
    await scene.publish(TWO);
    await makeHookSecret(services, at(mara), ruleId);
    expect(await scene.read()).toMatchObject({ hookApproval: true });
  });

  it("is made at once without a policy, and where its requester alone suffices", async () => {
    for (const policy of [undefined, policyOf(asks([anyDeciders(1)]))]) {
      const scene = await arrange(policy);
      const made = await createConfirmedApiKey(scene.services, scene.at(scene.mara), {
        name: "at-once",
        permissions: MOVES,
      });
      expect(await authenticateApiKey(scene.services, made.text)).not.toBeNull();
    }
  });

  it("does not show the hash of its secret with what was asked", async () => {
    const scene = await arrange(TWO_OTHERS);
    const { id } = await askKey(scene);
    expect(JSON.stringify(await readAskedChange(database.pool, scene.organizationId, id))).not.toContain(
      "Hash",
    );
  });
});

describe("the database by itself", () => {
  it("ends as done nothing that its caller did not sign, and no change twice", async () => {
    const scene = await arrange(TWO_OTHERS);
    const id = scene.idOf(await scene.editFloor(null));
    const done = (state: string, by: string | null) =>
      database.pool.query("select end_asked_change($1, $2, $3, $4, $5) as ended", [
        scene.organizationId,
        id,
        state,
        by,
        scene.clock.now(),
      ]);
    await expect(done("DONE", scene.ana.actor.id)).rejects.toThrow("not signed");
    await expect(done("WITHDRAWN", scene.ana.actor.id)).rejects.toThrow("only who asked");
    await expect(done("DONE", scene.organizationId)).rejects.toThrow("only an owner or co-owner");
    await scene.sign(id, scene.ana);
    await expect(done("DONE", scene.ben.actor.id)).rejects.toThrow("not signed");
    expect((await done("DENIED", scene.ben.actor.id)).rows).toEqual([{ ended: true }]);
    expect((await done("DENIED", scene.ben.actor.id)).rows).toEqual([{ ended: false }]);
    await expect(
      database.pool.query("update asked_changes set state = 'WAITING' where id = $1", [id]),
    ).rejects.toThrow("permission denied");
  });

  it("is asked by nobody who does not decide", async () => {
    const scene = await arrange(TWO_OTHERS);
    const viewer = await scene.organization.addMember("VIEWER", "Vera");
    await expect(
      database.pool.query("select ask_change($1)", [
        JSON.stringify({ organizationId: scene.organizationId, userId: viewer.actor.id }),
      ]),
    ).rejects.toThrow("only an owner or co-owner");
  });
});
