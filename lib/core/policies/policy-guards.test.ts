/**
 * Goal: the SQL functions that change who must approve refuse by themselves what no command sends. Method: each is called
 * directly, as the application's role, with signatures that no command would write.
 */
import { describe, expect, it } from "vitest";
import { DEFAULT_POLICY } from "@/lib/contract/policies/policy";
import { expirePolicySignings } from "@/lib/core/policies/expire-signings";
import { readPolicySigning } from "@/lib/core/policies/read-signing";
import { savePolicyDraft } from "@/lib/core/policies/save-policy-draft";
import { signPolicy } from "@/lib/core/policies/sign-policy";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { newId } from "@/lib/platform/ids";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { overlap } from "@/lib/testing/overlap";
import { createTestServices } from "@/lib/testing/services";

const database = useTestDatabase();
const HOUR_MS = 3_600_000;
/** In which the signatures must come. */
const SIGNING_MS = 72 * HOUR_MS;

async function arrange() {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const { organizationId, owner: mara } = organization;
  const jonas = await organization.addMember("CO_OWNER", "Jonas");
  const viewer = await organization.addMember("VIEWER", "Tomas");
  const look = (by: Context<MemberActor> = mara) =>
    readPolicySigning(services.pool, { organizationId, memberId: by.actor.id, today: "2026-11-20" });
  const save = async (by = mara) => {
    const draft = (await look(by))?.draft;
    return savePolicyDraft(services, by, {
      version: draft?.version ?? null,
      revision: draft?.revision ?? null,
      policy: DEFAULT_POLICY,
    });
  };
  const sign = async (by = mara) => {
    const seen = await look(by);
    return signPolicy(
      services,
      { ...by, now: clock.now() },
      { version: seen?.draft.version ?? 1, hash: seen?.hash ?? "", confirmation: { kind: "NONE" } },
    );
  };
  const setRole = ({ actor }: Context<MemberActor>, role: string) =>
    database.ownerPool.query("update memberships set role = $3 where organization_id = $1 and user_id = $2", [
      organizationId,
      actor.id,
      role,
    ]);
  /** Under version 1, as no command would write it. */
  const putSignature = (by: Context<MemberActor>, hash: string, isWithdrawn = false) =>
    database.ownerPool.query(
      `insert into signatures (organization_id, subject_kind, subject_id, id, user_id, policy_versions, subject_hash, digest,
           method, signed_at, signed_on, withdrawn_at)
         values ($1, 'POLICY', '1', $2, $3, '{0}', $4, $4, 'PASSWORD', $5, '2026-11-20', case when $6 then $5::timestamptz end)`,
      [organizationId, newId(clock.now()), by.actor.id, hash, clock.now(), isWithdrawn],
    );
  const call = async (sql: string, values: unknown[]) =>
    (await database.pool.query(`select ${sql} as result`, values)).rows[0].result;
  const publish = (hash: string, now = clock.now()) =>
    call("publish_policy($1, 1, $2, $3)", [organizationId, hash, now]);
  const hashOf = async () => (await look())?.hash ?? "";
  return {
    ...{ services, clock, organization, organizationId, mara, jonas, viewer },
    ...{ look, save, sign, setRole, putSignature, call, publish, hashOf },
  };
}

describe("publishing counts no signature", () => {
  it("of someone who does not decide, of another text, or that was withdrawn", async () => {
    const { mara, jonas, viewer, save, sign, putSignature, publish, hashOf } = await arrange();
    await save(mara);
    await sign(mara);
    const hash = await hashOf();
    await putSignature(viewer, hash);
    await expect(publish(hash)).rejects.toThrow("alone");
    await putSignature(jonas, hash, true);
    await expect(publish(hash)).rejects.toThrow("alone");
    await putSignature(jonas, "another text");
    await expect(publish(hash)).rejects.toThrow("alone");
  });

  it("and no part of who began it and no longer decides", async () => {
    const { organization, mara, jonas, save, sign, putSignature, publish, hashOf, setRole } = await arrange();
    await organization.addMember("CO_OWNER", "Priya");
    await save(mara);
    await sign(mara);
    const hash = await hashOf();
    await putSignature(jonas, hash);
    await setRole(mara, "VIEWER");
    await expect(publish(hash)).rejects.toThrow("alone");
  });

  it("at the end of its 72 hours, and takes both before", async () => {
    const { mara, jonas, clock, save, sign, putSignature, publish, hashOf } = await arrange();
    await save(mara);
    await sign(mara);
    const hash = await hashOf();
    await putSignature(jonas, hash);
    const end = new Date(clock.now().getTime() + SIGNING_MS);
    await expect(publish(hash, end)).rejects.toThrow("not being signed");
    await publish(hash, new Date(end.getTime() - 1));
  });
});

describe("signing a version", () => {
  it("is refused at the end of its 72 hours, and to who does not decide", async () => {
    const { organizationId, mara, jonas, viewer, clock, save, sign, call, hashOf } = await arrange();
    await save(mara);
    await sign(mara);
    const hash = await hashOf();
    const signDirectly = (by: Context<MemberActor>, now: Date) =>
      call("sign_policy($1)", [
        JSON.stringify({
          organizationId,
          userId: by.actor.id,
          version: "1",
          id: newId(now),
          policyVersions: [0],
          hash,
          digest: hash,
          method: "PASSWORD",
          passkeyName: null,
          now,
          day: "2026-11-20",
        }),
      ]);
    const end = new Date(clock.now().getTime() + SIGNING_MS);
    await expect(signDirectly(jonas, end)).rejects.toThrow("not being signed");
    await expect(signDirectly(viewer, clock.now())).rejects.toThrow("only an owner or co-owner");
    await signDirectly(jonas, new Date(end.getTime() - 1));
  });

  it("begins for the draft that was shown alone", async () => {
    const { organizationId, mara, clock, save, call } = await arrange();
    await save(mara);
    await save(mara);
    const begin = (revision: number) =>
      call("begin_policy_signing($1)", [
        JSON.stringify({
          organizationId,
          userId: mara.actor.id,
          version: 1,
          revision,
          now: clock.now(),
          expiresAt: new Date(clock.now().getTime() + SIGNING_MS),
        }),
      ]);
    expect(await begin(1)).toBe(false);
    expect(await begin(2)).toBe(true);
  });

  it("does not count who lost the role and got it again, until they sign again", async () => {
    const { mara, jonas, organization, save, sign, setRole, look } = await arrange();
    const priya = await organization.addMember("CO_OWNER", "Priya");
    await save(mara);
    expect(await sign(jonas)).toEqual({ kind: "SIGNED" });
    await setRole(jonas, "VIEWER");
    await setRole(jonas, "CO_OWNER");
    expect((await look())?.signatures).toEqual([]);
    expect(await sign(priya)).toEqual({ kind: "SIGNED" });
    expect(await sign(jonas)).toEqual({ kind: "PUBLISHED" });
  });
});

it("who loses the role has signed neither a payee nor a rule, also once they have it again", async () => {
  const { organizationId, jonas, mara, clock, setRole } = await arrange();
  for (const by of [jonas, mara]) {
    for (const kind of ["PAYEE", "RULE"]) {
      await database.ownerPool.query(
        `insert into signatures (organization_id, subject_kind, subject_id, id, user_id, policy_versions, subject_hash,
             digest, method, signed_at, signed_on)
           values ($1, $2, $3, $4, $5, '{1}', 'seen', 'seen', 'PASSWORD', $6, '2026-11-20')`,
        [organizationId, kind, newId(clock.now()), newId(clock.now()), by.actor.id, clock.now()],
      );
    }
  }
  await setRole(jonas, "VIEWER");
  await setRole(jonas, "CO_OWNER");
  const { rows } = await database.ownerPool.query(
    `select u.name, s.subject_kind as kind from signatures s join users u on u.id = s.user_id
      where s.organization_id = $1 and s.withdrawn_at is null order by kind`,
    [organizationId],
  );
  expect(rows.map(({ kind }) => kind)).toEqual(["PAYEE", "RULE"]);
  expect(rows.some(({ name }) => name === "Jonas")).toBe(false);
});

it("a role that is being taken is waited for, and then refuses", async () => {
  const { organizationId, jonas, call } = await arrange();
  const { hasWaited, result } = await overlap(
    database,
    (client) =>
      client.query("update memberships set role = 'VIEWER' where organization_id = $1 and user_id = $2", [
        organizationId,
        jonas.actor.id,
      ]),
    () =>
      call("discard_policy_draft($1, 1, $2, now())", [organizationId, jonas.actor.id]).catch(
        (error: unknown) => String(error),
      ),
  );
  expect(hasWaited).toBe(true);
  expect(result).toContain("only an owner or co-owner");
});

it("a draft that is saved again has no living signature", async () => {
  const { organizationId, mara, save, sign } = await arrange();
  await save(mara);
  await sign(mara);
  await save(mara);
  const { rows } = await database.ownerPool.query(
    `select withdrawn_at is not null as "isVoid" from signatures where organization_id = $1`,
    [organizationId],
  );
  expect(rows).toEqual([{ isVoid: true }]);
});

it("a moved clock ends the signing of its own organization alone", async () => {
  const here = await arrange();
  const elsewhere = await createTestOrganization(database, here.services, "Elsewhere");
  await here.save();
  await here.sign();
  await database.ownerPool.query("update organizations set clock_offset_ms = $2 where id = $1", [
    elsewhere.organizationId,
    2 * SIGNING_MS,
  ]);
  await expirePolicySignings(here.services, 100);
  expect((await here.look())?.draft.state).toBe("SIGNING");
  await database.ownerPool.query("update organizations set clock_offset_ms = $2 where id = $1", [
    here.organizationId,
    SIGNING_MS,
  ]);
  await expirePolicySignings(here.services, 100);
  expect((await here.look())?.draft.state).toBe("DRAFT");
});
