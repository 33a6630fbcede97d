/**
 * Goal: the SQL functions of changes that wait for signatures refuse by themselves what no command sends. Method: each is
 * called directly, as the application's role, at the exact moment in which time is over, and beside another transaction.
 */
import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { expireAskedChanges } from "@/lib/core/asked-changes/end-of-time";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { newId } from "@/lib/platform/ids";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { overlap } from "@/lib/testing/overlap";
import { createTestServices } from "@/lib/testing/services";

const database = useTestDatabase();
const HOUR_MS = 3_600_000;

async function arrange() {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const { organizationId, owner: mara } = organization;
  const ana = await organization.addMember("CO_OWNER", "Ana");
  const ben = await organization.addMember("CO_OWNER", "Ben");
  const viewer = await organization.addMember("VIEWER", "Vera");
  const after = (ms: number) => new Date(clock.now().getTime() + ms);
  const call = async (sql: string, values: unknown[]) =>
    (await database.pool.query(`select ${sql} as result`, values)).rows[0].result;
  const ask = async (by: Context<MemberActor>, changed: object = {}) => {
    const id = newId(clock.now());
    await call("ask_change($1)", [
      JSON.stringify({
        organizationId,
        userId: by.actor.id,
        id,
        kind: "LIMIT",
        what: "KEY_CAP",
        targetId: randomUUID(),
        subject: "sweep",
        wanted: {},
        expiresAt: after(HOUR_MS),
        remindAt: null,
        now: clock.now(),
        ...changed,
      }),
    ]);
    return id;
  };
  const sign = (by: Context<MemberActor>, subjectId: string, changed: object = {}) =>
    call("sign_change($1)", [
      JSON.stringify({
        organizationId,
        userId: by.actor.id,
        id: newId(clock.now()),
        kind: "LIMIT",
        subjectId,
        policyVersion: 1,
        hash: "as shown",
        method: "PASSWORD",
        passkeyName: null,
        now: clock.now(),
        day: "2026-11-20",
        isLast: true,
        ...changed,
      }),
    ]);
  const end = (by: Context<MemberActor>, id: string, state = "DONE", now = clock.now()) =>
    call("end_asked_change($1, $2, $3, $4, $5)", [organizationId, id, state, by.actor.id, now]);
  const stateOf = async (id: string) =>
    (await database.pool.query("select state from asked_changes where id = $1", [id])).rows[0]?.state;
  return {
    ...{ services, clock, organization, organizationId, mara, ana, ben, viewer },
    ...{ after, call, ask, sign, end, stateOf },
  };
}

type Scene = Awaited<ReturnType<typeof arrange>>;

/** Denies it in a transaction that is still open, and tries something beside it. */
const whileDenied = <T>({ clock }: Scene, id: string, act: () => Promise<T>) =>
  overlap(
    database,
    (client) =>
      client.query("update asked_changes set state = 'DENIED', ended_at = $2 where id = $1", [
        id,
        clock.now(),
      ]),
    act,
  );

it("a change that is being denied is not carried out beside it", async () => {
  const scene = await arrange();
  const id = await scene.ask(scene.mara);
  await scene.sign(scene.ana, id);
  const ended = await whileDenied(scene, id, () => scene.end(scene.ana, id));
  expect(ended).toEqual({ hasWaited: true, result: false });
  expect(await scene.stateOf(id)).toBe("DENIED");
});

it("a change that is being denied, or was, gets no further signature", async () => {
  const scene = await arrange();
  const id = await scene.ask(scene.mara);
  await expect(whileDenied(scene, id, () => scene.sign(scene.ana, id))).rejects.toThrow("does not wait");
  await expect(scene.sign(scene.ben, id)).rejects.toThrow("does not wait");
});

it("a withdrawn signature carries nothing out", async () => {
  const scene = await arrange();
  const id = await scene.ask(scene.mara);
  await scene.sign(scene.ana, id);
  await database.ownerPool.query("update signatures set withdrawn_at = signed_at where subject_id = $1", [
    id,
  ]);
  await expect(scene.end(scene.ana, id)).rejects.toThrow("not signed");
});

it("what someone asked for who does not decide is not carried out", async () => {
  const scene = await arrange();
  const id = await scene.ask(scene.mara);
  await scene.sign(scene.ana, id);
  await database.ownerPool.query("update asked_changes set asked_by = $2 where id = $1", [
    id,
    scene.viewer.actor.id,
  ]);
  await expect(scene.end(scene.ana, id)).rejects.toThrow("only an owner or co-owner");
});

it("at the exact moment in which its time is over it is neither signed nor carried out, and expires", async () => {
  const scene = await arrange();
  const { services, clock, ana, ben, after } = scene;
  const id = await scene.ask(scene.mara, { expiresAt: after(HOUR_MS) });
  const other = await scene.ask(scene.mara, { expiresAt: after(HOUR_MS) });
  clock.advance(HOUR_MS - 1);
  await scene.sign(ana, id);
  await expireAskedChanges(services, 100);
  expect(await scene.stateOf(other)).toBe("WAITING");
  expect(await scene.end(ana, id)).toBe(true);
  await scene.sign(ana, other);
  clock.advance(1);
  await expect(scene.sign(ben, other)).rejects.toThrow("does not wait");
  await expect(scene.end(ana, other)).rejects.toThrow("time for this change is over");
  await expireAskedChanges(services, 100);
  expect(await scene.stateOf(other)).toBe("EXPIRED");
});

it("expires by the business clock of its own organization", async () => {
  const [moved, still] = [await arrange(), await arrange()];
  await database.ownerPool.query("update organizations set clock_offset_ms = $2 where id = $1", [
    moved.organizationId,
    HOUR_MS,
  ]);
  const [early, late] = [await moved.ask(moved.mara), await still.ask(still.mara)];
  await expireAskedChanges(moved.services, 100);
  expect([await moved.stateOf(early), await still.stateOf(late)]).toEqual(["EXPIRED", "WAITING"]);
});

it("is signed and timed by nobody who does not decide, and under no other kind", async () => {
  const scene = await arrange();
  const id = await scene.ask(scene.mara);
  await expect(scene.sign(scene.viewer, id)).rejects.toThrow("only an owner or co-owner");
  await expect(scene.sign(scene.ana, id, { kind: "KEY" })).rejects.toThrow("does not wait");
  await expect(scene.sign(scene.ana, id, { kind: "MANDATE" })).rejects.toThrow("another function");
  const begin = (by: Context<MemberActor>, kind: string) =>
    scene.call("begin_change_signing($1)", [
      JSON.stringify({
        organizationId: scene.organizationId,
        userId: by.actor.id,
        id: randomUUID(),
        kind,
        targetId: randomUUID(),
        wanted: {},
        expiresAt: scene.after(HOUR_MS),
        remindAt: null,
        now: scene.clock.now(),
      }),
    ]);
  await expect(begin(scene.viewer, "PAYEE")).rejects.toThrow("only an owner or co-owner");
  await expect(begin(scene.ana, "LIMIT")).rejects.toThrow("another function");
});

it("of one key replaces nothing of another, and 200 wait at most", async () => {
  const scene = await arrange();
  const [first, second] = [await scene.ask(scene.mara), await scene.ask(scene.mara)];
  expect([await scene.stateOf(first), await scene.stateOf(second)]).toEqual(["WAITING", "WAITING"]);
  await database.ownerPool.query(
    `insert into asked_changes (organization_id, id, kind, what, target_id, wanted, state, asked_by, asked_at, expires_at)
       select organization_id, gen_random_uuid(), kind, what, gen_random_uuid(), wanted, state, asked_by, asked_at, expires_at
         from asked_changes, generate_series(1, 197) where id = $1`,
    [first],
  );
  await scene.ask(scene.mara);
  await expect(scene.ask(scene.mara)).rejects.toThrow("too many changes wait");
});

it("outlives another member's leave", async () => {
  const scene = await arrange();
  const [ofAna, ofBen] = [await scene.ask(scene.ana), await scene.ask(scene.ben)];
  await database.ownerPool.query("delete from memberships where organization_id = $1 and user_id = $2", [
    scene.organizationId,
    scene.ana.actor.id,
  ]);
  expect([await scene.stateOf(ofAna), await scene.stateOf(ofBen)]).toEqual(["WITHDRAWN", "WAITING"]);
});
