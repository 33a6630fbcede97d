/**
 * Goal: nobody replaces a policy alone, and what is published is what was signed. Method: the commands against a real
 * database, also at once; roles, drafts and clocks changed between view and signature.
 */
import { describe, expect, it } from "vitest";
import { DEFAULT_POLICY, type Policy } from "@/lib/contract/policies/policy";
import { expirePolicySignings } from "@/lib/core/policies/expire-signings";
import { readPolicyInForce } from "@/lib/core/policies/read-policy";
import { readPolicySigning } from "@/lib/core/policies/read-signing";
import { discardPolicyDraft, savePolicyDraft } from "@/lib/core/policies/save-policy-draft";
import { signPolicy, withdrawPolicySignature } from "@/lib/core/policies/sign-policy";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";

const database = useTestDatabase();

async function arrange() {
  const { services, clock, woken } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const { organizationId, owner } = organization;
  const jonas = await organization.addMember("CO_OWNER", "Jonas");
  const priya = await organization.addMember("CO_OWNER", "Priya");
  const viewer = await organization.addMember("VIEWER", "Tomas");
  const policy = (change: Partial<Policy["otherwise"]> = {}): Policy => ({
    rules: [
      {
        name: "Large",
        when: { amountOver: 200_000 },
        ...DEFAULT_POLICY.otherwise,
        stages: [{ of: { members: [jonas.actor.id] }, atLeast: 1, deputies: [] }],
      },
    ],
    otherwise: { ...DEFAULT_POLICY.otherwise, ...change },
  });
  const save = async (by: Context<MemberActor>, draft = policy()) => {
    const current = await look(by);
    return savePolicyDraft(services, by, {
      version: current?.draft.version ?? null,
      revision: current?.draft.revision ?? null,
      policy: draft,
    });
  };
  const look = (by: Context<MemberActor>) =>
    readPolicySigning(services.pool, { organizationId, memberId: by.actor.id, today: "2026-11-20" });
  const sign = async (by: Context<MemberActor>, hash?: string) => {
    const seen = await look(by);
    return signPolicy(
      services,
      { ...by, now: clock.now() },
      { version: seen?.draft.version ?? 1, hash: hash ?? seen?.hash ?? "", confirmation: { kind: "NONE" } },
    );
  };
  const inForce = async () => (await readPolicyInForce(services.pool, organizationId)).version;
  const notices = async () => {
    const { rows } = await database.ownerPool.query<{ notice: string }>(
      `select concat_ws(' ', n.kind, u.name) as notice from notices n left join users u on u.id = n.user_id
        where n.organization_id = $1 and n.kind like 'POLICY%' order by n.id`,
      [organizationId],
    );
    return rows.map(({ notice }) => notice);
  };
  const acts = async () => {
    const { rows } = await database.ownerPool.query<{ act: string }>(
      `select concat_ws(' ', u.name, c.value_after, c.subject) as act from organization_changes c
        join users u on u.id = c.changed_by
       where c.organization_id = $1 and c.kind = 'APPROVAL_POLICY' order by c.id`,
      [organizationId],
    );
    return rows.map(({ act }) => act);
  };
  return {
    services,
    clock,
    woken,
    organization,
    organizationId,
    mara: owner,
    jonas,
    priya,
    viewer,
    policy,
    save,
    look,
    sign,
    inForce,
    notices,
    acts,
  };
}

describe("publishing a policy", () => {
  it("takes two people: the first signature asks for the other, the last one puts the version in force", async () => {
    const { mara, jonas, save, sign, inForce, notices, acts } = await arrange();
    await save(mara);
    expect(await sign(mara)).toEqual({ kind: "SIGNED" });
    expect(await inForce()).toBe(0);
    expect(await notices()).toEqual(["POLICY_SIGNATURE_ASKED Jonas", "POLICY_SIGNATURE_ASKED Priya"]);
    expect(await sign(jonas)).toEqual({ kind: "PUBLISHED" });
    expect(await inForce()).toBe(1);
    expect((await notices()).at(-1)).toBe("POLICY_PUBLISHED");
    expect(await acts()).toEqual(["Mara DRAFTED 1", "Mara SIGNED 1", "Jonas SIGNED 1", "Jonas PUBLISHED 1"]);
  });

  it("its author alone cannot, however often they sign", async () => {
    const { mara, save, sign, inForce } = await arrange();
    await save(mara);
    await sign(mara);
    expect(await sign(mara)).toMatchObject({
      kind: "REFUSED",
      message: "You have signed this version already.",
    });
    expect(await inForce()).toBe(0);
  });

  it("two last signatures at once: one publishes, the other finds it published", async () => {
    const { mara, jonas, priya, save, look, sign, inForce } = await arrange();
    await save(mara);
    await sign(mara);
    const hash = (await look(jonas))?.hash;
    const results = await Promise.all([sign(jonas, hash), sign(priya, hash)]);
    expect(results.map(({ kind }) => kind).sort()).toEqual(["CHANGED", "PUBLISHED"]);
    expect(await inForce()).toBe(1);
  });

  it("two first signatures at once both count", async () => {
    const { mara, jonas, save, look, sign, inForce } = await arrange();
    await save(mara);
    const hash = (await look(mara))?.hash;
    const results = await Promise.all([sign(mara, hash), sign(jonas, hash)]);
    expect(results.map(({ kind }) => kind).sort()).toEqual(["PUBLISHED", "SIGNED"]);
    expect(await inForce()).toBe(1);
  });

  it("a draft that changed between view and signature is not signed", async () => {
    const { mara, jonas, save, look, sign, policy, inForce } = await arrange();
    await save(mara);
    const seen = (await look(mara))?.hash;
    await save(jonas, policy({ expiresAfterHours: 48 }));
    expect(await sign(mara, seen)).toMatchObject({ kind: "CHANGED" });
    expect(await inForce()).toBe(0);
  });

  it("a draft that is changed while it is signed loses its signatures", async () => {
    const { mara, jonas, save, look, sign, policy, inForce } = await arrange();
    await save(mara);
    await sign(mara);
    expect(await save(jonas, policy({ expiresAfterHours: 48 }))).toMatchObject({ endedSignatures: true });
    expect(await look(mara)).toMatchObject({ draft: { state: "DRAFT" }, signatures: [] });
    expect(await sign(jonas)).toEqual({ kind: "SIGNED" });
    expect(await inForce()).toBe(0);
  });

  it("a signature of someone who lost the role meanwhile counts no more", async () => {
    const { mara, jonas, priya, save, sign, inForce, organizationId } = await arrange();
    await save(jonas);
    await sign(jonas);
    await database.ownerPool.query(
      "update memberships set role = 'VIEWER' where organization_id = $1 and user_id = $2",
      [organizationId, jonas.actor.id],
    );
    const refused = await sign(mara);
    // Rule “Large” names Jonas alone, who cannot sign any more.
    expect(refused).toMatchObject({ kind: "REFUSED" });
    await save(mara, DEFAULT_POLICY);
    expect(await sign(mara)).toEqual({ kind: "SIGNED" });
    expect(await inForce()).toBe(0);
    expect(await sign(priya)).toEqual({ kind: "PUBLISHED" });
  });

  it("both versions count: what the one in force asks cannot be shed by the next", async () => {
    const { mara, jonas, priya, save, sign, inForce, policy } = await arrange();
    const strict: Policy = {
      ...policy(),
      rules: [
        {
          name: "This policy",
          when: { kinds: ["POLICY"] },
          stages: [{ of: { members: [mara.actor.id, jonas.actor.id] }, atLeast: 2, deputies: [] }],
          requesterCounts: true,
          expiresAfterHours: 24,
        },
      ],
    };
    await save(mara, strict);
    await sign(mara);
    await sign(jonas);
    expect(await inForce()).toBe(1);
    await save(jonas, DEFAULT_POLICY);
    expect(await sign(jonas)).toEqual({ kind: "SIGNED" });
    // Version 2 would be content with Priya; version 1 is not.
    expect(await sign(priya)).toEqual({ kind: "SIGNED" });
    expect(await inForce()).toBe(1);
    expect(await sign(mara)).toEqual({ kind: "PUBLISHED" });
    expect(await inForce()).toBe(2);
  });

  it("where the requester does not count, they ask and two others sign", async () => {
    const { mara, jonas, priya, save, sign, inForce, policy } = await arrange();
    await save(mara, policy({ requesterCounts: false }));
    // Version 0 counts the requester, version 1 does not: it needs both others.
    expect(await sign(mara)).toEqual({ kind: "SIGNED" });
    expect(await sign(jonas)).toEqual({ kind: "SIGNED" });
    expect(await inForce()).toBe(0);
    expect(await sign(priya)).toEqual({ kind: "PUBLISHED" });
    await save(mara, policy({ requesterCounts: false, expiresAfterHours: 48 }));
    expect(await sign(mara)).toEqual({ kind: "ASKED" });
    expect(await sign(mara)).toMatchObject({ kind: "REFUSED" });
    expect(await sign(jonas)).toEqual({ kind: "SIGNED" });
    expect(await sign(priya)).toEqual({ kind: "PUBLISHED" });
    expect(await inForce()).toBe(2);
  });

  it("the only owner publishes alone", async () => {
    const { services } = createTestServices(database);
    const { organizationId, owner } = await createTestOrganization(database, services);
    await savePolicyDraft(services, owner, { version: null, revision: null, policy: DEFAULT_POLICY });
    const seen = await readPolicySigning(services.pool, {
      organizationId,
      memberId: owner.actor.id,
      today: "2026-11-20",
    });
    const signed = await signPolicy(services, owner, {
      version: 1,
      hash: seen?.hash ?? "",
      confirmation: { kind: "NONE" },
    });
    expect(signed).toEqual({ kind: "PUBLISHED" });
  });

  it("a version that the linter refuses is not signed", async () => {
    const { mara, save, sign, viewer } = await arrange();
    const stages = [{ of: { members: [viewer.actor.id] }, atLeast: 1, deputies: [] }];
    await save(mara, { rules: [], otherwise: { ...DEFAULT_POLICY.otherwise, stages } });
    expect(await sign(mara)).toMatchObject({ kind: "REFUSED" });
  });

  it("signatures that do not come within 72 hours end, and the draft stays", async () => {
    const { mara, jonas, save, sign, look, clock, services, inForce } = await arrange();
    await save(mara);
    await sign(mara);
    clock.advance(72 * 3_600_000 + 1);
    expect(await sign({ ...jonas, actor: { ...jonas.actor, authenticatedAt: clock.now() } })).toMatchObject({
      kind: "REFUSED",
    });
    // Those of other tests too.
    expect(await expirePolicySignings(services, 100)).toBeGreaterThanOrEqual(1);
    expect(await look(mara)).toMatchObject({ draft: { state: "DRAFT", version: 1 }, signatures: [] });
    expect(await inForce()).toBe(0);
  });

  it("a withdrawn signature counts no more, and the last one withdrawn leaves a draft", async () => {
    const { mara, save, sign, look, services } = await arrange();
    await save(mara);
    await sign(mara);
    await withdrawPolicySignature(services, mara, 1);
    expect(await look(mara)).toMatchObject({ draft: { state: "DRAFT" }, signatures: [] });
    await expect(withdrawPolicySignature(services, mara, 1)).rejects.toThrow("no signature of yours");
  });

  it("an unconfirmed signature signs nothing", async () => {
    const { mara, save, look, services, clock, inForce } = await arrange();
    await save(mara);
    clock.advance(600_000);
    const result = await signPolicy(services, mara, {
      version: 1,
      hash: (await look(mara))?.hash ?? "",
      confirmation: { kind: "NONE" },
    });
    expect(result).toMatchObject({ kind: "NOT_CONFIRMED" });
    expect(await look(mara)).toMatchObject({ signatures: [] });
    expect(await inForce()).toBe(0);
  });
});

describe("the draft", () => {
  it("a save of an older revision, or a second draft, is refused", async () => {
    const { mara, jonas, services, policy } = await arrange();
    await savePolicyDraft(services, mara, { version: null, revision: null, policy: policy() });
    await savePolicyDraft(services, jonas, { version: 1, revision: 1, policy: policy() });
    await expect(
      savePolicyDraft(services, mara, { version: 1, revision: 1, policy: policy() }),
    ).rejects.toMatchObject({ code: "INVALID_PARAMETERS" });
    await expect(
      savePolicyDraft(services, mara, { version: null, revision: null, policy: policy() }),
    ).rejects.toMatchObject({ code: "INVALID_PARAMETERS" });
  });

  it("is for owners and co-owners of its own organization", async () => {
    const { mara, viewer, services, save, sign } = await arrange();
    const other = await arrange();
    await expect(save(viewer)).rejects.toMatchObject({ code: "ACCESS_DENIED" });
    await save(mara);
    expect(await sign(viewer)).toMatchObject({ kind: "REFUSED" });
    await expect(discardPolicyDraft(services, viewer, 1)).rejects.toMatchObject({ code: "ACCESS_DENIED" });
    // The other organization has no draft of that version.
    await expect(discardPolicyDraft(services, other.mara, 1)).rejects.toMatchObject({
      code: "INVALID_PARAMETERS",
    });
    expect(await other.look(other.mara)).toBeNull();
  });

  it("discarded, it is gone with its signatures, and the next one has a number of its own", async () => {
    const { mara, save, sign, look, services } = await arrange();
    await save(mara);
    await sign(mara);
    await discardPolicyDraft(services, mara, 1);
    expect(await look(mara)).toBeNull();
    expect(await save(mara)).toMatchObject({ version: 2, revision: 1 });
  });
});

describe("the function that publishes", () => {
  it("refuses by itself without signatures, for one person's alone and for another text", async () => {
    const { mara, save, sign, look, organizationId } = await arrange();
    await save(mara);
    const hash = (await look(mara))?.hash ?? "";
    const publish = (version: number, text: string) =>
      database.pool.query("select publish_policy($1, $2, $3, $4)", [organizationId, version, text, mara.now]);
    await expect(publish(1, hash)).rejects.toThrow("not being signed");
    await sign(mara);
    await expect(publish(1, hash)).rejects.toThrow("alone");
    await expect(publish(1, "another")).rejects.toThrow("alone");
    await expect(
      database.pool.query("update approval_policies set state = 'IN_FORCE', published_at = now()"),
    ).rejects.toThrow("permission denied");
  });
});
