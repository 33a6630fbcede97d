import { beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { AppError } from "@/lib/contract/error";
import { MEMBER_ROLES, type MemberRole, managedRoles } from "@/lib/contract/members";
import { connectAssistant } from "@/lib/core/keys/connect-assistant";
import { hashRecordId } from "@/lib/core/keys/oauth-records";
import { changeMemberRole, removeMember } from "@/lib/core/organizations/change-member";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { NotConfirmed } from "@/lib/core/sign-in/not-confirmed";
import { readSession } from "@/lib/core/sign-in/read-session";
import type { Queryable } from "@/lib/db/transaction";
import { newId, newRequestId } from "@/lib/platform/ids";
import { RACING, useTestDatabase } from "@/lib/testing/database";
import { makeMember, makeOrganization, signIn, testServices } from "@/lib/testing/members";
import { overlap } from "@/lib/testing/overlap";
import { listMembers, previewRemoval } from "@/lib/views/members/list-members";

const database = useTestDatabase(RACING);
let services: ReturnType<typeof testServices>;
beforeEach(() => {
  services = testServices(database);
});

function contextOf(organizationId: string, actor: MemberActor): Context<MemberActor> {
  return { organizationId, actor, now: services.clock.now(), requestId: newRequestId(), calledReason: null };
}

/** An organization with members who have just signed in. */
async function arrange() {
  const { organizationId, ownerEmail } = await makeOrganization(services);
  const owner = contextOf(organizationId, await signIn(services, ownerEmail));
  const add = async (role: MemberRole) => {
    const { email } = await makeMember(services, organizationId, role);
    return contextOf(organizationId, await signIn(services, email));
  };
  const roleOf = async ({ actor }: Context<MemberActor>) => {
    const { rows } = await database.ownerPool.query<{ role: MemberRole }>(
      "select role from memberships where organization_id = $1 and user_id = $2",
      [organizationId, actor.id],
    );
    return rows[0]?.role ?? null;
  };
  const countOwners = async () => {
    const { rows } = await database.ownerPool.query<{ count: number }>(
      "select count(*)::int as count from memberships where organization_id = $1 and role = 'OWNER'",
      [organizationId],
    );
    return rows[0]?.count;
  };
  /** A key or assistant that a member created, as the tables store it. */
  const addCaller = async (of: Context<MemberActor>, kind: "KEY" | "ASSISTANT") => {
    const id = newId(services.clock.now());
    const isKey = kind === "KEY";
    await database.ownerPool.query(
      `insert into api_keys (organization_id, id, name, prefix, key_hash, permissions, created_by, created_at, client_id,
          client_host)
       values ($1, $2, $3, $4, $5, '[]', $6, $7, $8, $9)`,
      [
        organizationId,
        id,
        isKey ? "claude-bookkeeping" : "Claude",
        isKey ? id.slice(-12) : null,
        isKey ? Buffer.from(id.padEnd(64, "0").slice(0, 32)) : null,
        of.actor.id,
        services.clock.now(),
        isKey ? null : "https://claude.example/client",
        isKey ? null : "claude.example",
      ],
    );
    return id;
  };
  const revocationOf = async (id: string) => {
    const { rows } = await database.ownerPool.query(
      `select revoked_because as "revokedBecause",
          revoked_by as "revokedBy" from api_keys where organization_id = $1 and id = $2`,
      [organizationId, id],
    );
    return rows[0];
  };
  return { organizationId, owner, add, roleOf, countOwners, addCaller, revocationOf };
}

describe("the last owner", () => {
  it("can neither leave nor be demoted, even by themself", async () => {
    const { owner, add, countOwners } = await arrange();
    await add("CO_OWNER");
    const lowered = changeMemberRole(services, owner, { userId: owner.actor.id, role: "VIEWER" });
    await expect(lowered).rejects.toThrow("the only owner");
    await expect(removeMember(services, owner, owner.actor.id)).rejects.toThrow("the only owner");
    expect(await countOwners()).toBe(1);
  });

  it("remains when two owners concurrently demote or remove each other, or leave", async () => {
    for (let round = 0; round < 12; round++) {
      const { owner, add, countOwners } = await arrange();
      const other = await add("OWNER");
      const act = (by: typeof owner, on: typeof owner) =>
        round % 3 === 0
          ? changeMemberRole(services, by, { userId: on.actor.id, role: "VIEWER" })
          : round % 3 === 1
            ? removeMember(services, by, on.actor.id)
            : removeMember(services, by, by.actor.id);
      const results = await Promise.allSettled([act(owner, other), act(other, owner)]);
      expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
      expect(await countOwners()).toBe(1);
    }
  });

  it.each([
    ["change_member_role", "select change_member_role($1, $2, $2, 'VIEWER') as answer"],
    ["remove_member", "select remove_member($1, $2, $2, now(), now()) as answer"],
  ])("remains when the other one goes at the same moment, by the function %s itself", async (_, text) => {
    const { owner, add, countOwners } = await arrange();
    const other = await add("OWNER");
    const go = (client: Queryable, { organizationId, actor }: typeof owner) =>
      client.query<{ answer: string }>(text, [organizationId, actor.id]);
    const { hasWaited, result } = await overlap(
      database,
      (client) => go(client, other),
      () => go(database.pool, owner),
    );
    expect({ hasWaited, rows: result.rows }).toEqual({ hasWaited: true, rows: [{ answer: "LAST_OWNER" }] });
    expect(await countOwners()).toBe(1);
  });

  it("cannot be lost through an application bug either: it may neither update nor delete memberships", async () => {
    const { owner } = await arrange();
    const values = [owner.organizationId];
    for (const text of [
      "update memberships set role = 'VIEWER' where organization_id = $1",
      "delete from memberships where organization_id = $1",
    ]) {
      await expect(database.pool.query(text, values)).rejects.toThrow("permission denied");
    }
  });
});

describe("who may change whom", () => {
  const cases = MEMBER_ROLES.flatMap((by) =>
    MEMBER_ROLES.flatMap((from) => MEMBER_ROLES.map((to) => ({ by, from, to }))),
  );

  it("matches what the page offers, for every role", async () => {
    const { owner, add, roleOf, organizationId } = await arrange();
    const actors: Record<MemberRole, Context<MemberActor>> = {
      OWNER: owner,
      CO_OWNER: await add("CO_OWNER"),
      ACCOUNTANT: await add("ACCOUNTANT"),
      VIEWER: await add("VIEWER"),
    };
    const subject = await add("VIEWER");
    for (const { by, from, to } of cases) {
      await database.ownerPool.query(
        "update memberships set role = $3 where organization_id = $1 and user_id = $2",
        [organizationId, subject.actor.id, from],
      );
      const isOffered = managedRoles(by).includes(from) && managedRoles(by).includes(to);
      const change = changeMemberRole(services, actors[by], { userId: subject.actor.id, role: to });
      const outcome = await change.then(
        () => "CHANGED",
        (error) => (error instanceof AppError ? error.code : error),
      );
      expect({ by, from, to, outcome }).toEqual({
        by,
        from,
        to,
        outcome: isOffered ? "CHANGED" : "ACCESS_DENIED",
      });
      expect(await roleOf(subject)).toBe(isOffered ? to : from);
    }
  });

  it("lets viewers and co-owners remove no one above them, and everyone leave", async () => {
    const { owner, add, roleOf } = await arrange();
    const [coOwner, otherCoOwner, viewer] = [
      await add("CO_OWNER"),
      await add("CO_OWNER"),
      await add("VIEWER"),
    ];
    await expect(removeMember(services, viewer, otherCoOwner.actor.id)).rejects.toThrow(AppError);
    await expect(removeMember(services, coOwner, otherCoOwner.actor.id)).rejects.toThrow(
      "co-owners can change accountants",
    );
    await expect(removeMember(services, coOwner, owner.actor.id)).rejects.toThrow(AppError);
    await expect(previewRemoval({ services, context: viewer }, owner.actor.id)).rejects.toThrow(AppError);
    await removeMember(services, coOwner, viewer.actor.id);
    await removeMember(services, coOwner, coOwner.actor.id);
    expect([await roleOf(viewer), await roleOf(coOwner), await roleOf(owner)]).toEqual([null, null, "OWNER"]);
  });

  it("requires step-up where the role decides about money, and not otherwise", async () => {
    const { owner, add, roleOf } = await arrange();
    const [viewer, other] = [await add("VIEWER"), await add("VIEWER")];
    services.clock.advance(6 * 60_000);
    const raise = changeMemberRole(services, owner, { userId: viewer.actor.id, role: "CO_OWNER" });
    await expect(raise).rejects.toThrow(NotConfirmed);
    await changeMemberRole(services, owner, { userId: viewer.actor.id, role: "ACCOUNTANT" });
    await removeMember(services, owner, other.actor.id);
    expect([await roleOf(viewer), await roleOf(other)]).toEqual(["ACCOUNTANT", null]);
    const coOwner = await add("CO_OWNER");
    await expect(removeMember(services, owner, coOwner.actor.id)).rejects.toThrow(NotConfirmed);
  });

  it("never reaches into another organization", async () => {
    const [here, elsewhere] = [await arrange(), await arrange()];
    const viewer = await elsewhere.add("VIEWER");
    const change = changeMemberRole(services, here.owner, { userId: viewer.actor.id, role: "OWNER" });
    await expect(change).rejects.toThrow("not a member");
    await expect(removeMember(services, here.owner, viewer.actor.id)).rejects.toThrow("not a member");
    const forged = { ...here.owner, organizationId: elsewhere.organizationId };
    await expect(removeMember(services, forged, viewer.actor.id)).rejects.toThrow(AppError);
    expect(await elsewhere.roleOf(viewer)).toBe("VIEWER");
  });
});

describe("a removed member", () => {
  it("is signed out here at once, and keeps the sessions of their other organization", async () => {
    const [here, elsewhere] = [await arrange(), await arrange()];
    const viewer = await here.add("VIEWER");
    const both = await here.add("VIEWER");
    await database.ownerPool.query(
      "insert into memberships (organization_id, user_id, role, created_at) values ($1, $2, 'VIEWER', now())",
      [elsewhere.organizationId, both.actor.id],
    );
    const there = await signIn(services, both.actor.email);
    await database.ownerPool.query("update sessions set organization_id = $2 where id = $1", [
      there.sessionId,
      elsewhere.organizationId,
    ]);
    await removeMember(services, here.owner, viewer.actor.id);
    await removeMember(services, here.owner, both.actor.id);
    expect(await readSession(services, viewer.actor.sessionId)).toBeNull();
    expect(await readSession(services, both.actor.sessionId)).toBeNull();
    expect((await readSession(services, there.sessionId))?.organization.id).toBe(elsewhere.organizationId);
  });

  it("loses their assistants, and leaves the keys that they created, which the preview names", async () => {
    const { owner, add, addCaller, revocationOf } = await arrange();
    const coOwner = await add("CO_OWNER");
    const key = await addCaller(coOwner, "KEY");
    const assistant = await addCaller(coOwner, "ASSISTANT");
    const ofOthers = await addCaller(owner, "ASSISTANT");
    const preview = await previewRemoval({ services, context: owner }, coOwner.actor.id);
    expect(preview).toEqual({
      sessionCount: 1,
      assistantNames: ["Claude"],
      assistantCount: 1,
      keys: [{ name: "claude-bookkeeping", href: `/settings/api-keys/${key}` }],
      keyCount: 1,
    });
    await removeMember(services, owner, coOwner.actor.id);
    expect(await revocationOf(assistant)).toEqual({ revokedBecause: "MEMBER", revokedBy: owner.actor.id });
    expect(await revocationOf(key)).toEqual({ revokedBecause: null, revokedBy: null });
    expect(await revocationOf(ofOthers)).toEqual({ revokedBecause: null, revokedBy: null });
  });

  it("cannot connect an assistant while being removed: it would revive when they return", async () => {
    const { owner, add } = await arrange();
    const viewer = await add("VIEWER");
    const [now, interactionId] = [services.clock.now(), newId(services.clock.now())];
    const later = new Date(now.getTime() + 60_000);
    await database.ownerPool.query(
      `insert into oauth_records (model, id_hash, payload, created_at, expires_at)
       values ('Interaction', $1, '{}', $2, $3)`,
      [hashRecordId(interactionId), now, later],
    );
    const connected = await overlap(
      database,
      (removal) =>
        removal.query("select remove_member($1, $2, $3, $4, $4)", [
          owner.organizationId,
          owner.actor.id,
          viewer.actor.id,
          now,
        ]),
      () =>
        connectAssistant(services, {
          interactionId,
          client: { id: "https://claude.example/client", name: "Claude", host: "claude.example" },
          by: { organizationId: owner.organizationId, userId: viewer.actor.id, now },
          describe: () => ({ grant: {}, result: {} }),
          keptUntil: later,
          clientKeptUntil: later,
        }),
    );
    expect(connected).toEqual({ hasWaited: true, result: null });
  });

  it("ends their own assistants by leaving, though they may revoke nothing else", async () => {
    const { add, addCaller, revocationOf } = await arrange();
    const viewer = await add("VIEWER");
    const assistant = await addCaller(viewer, "ASSISTANT");
    await removeMember(services, viewer, viewer.actor.id);
    expect(await revocationOf(assistant)).toMatchObject({ revokedBecause: "MEMBER" });
  });
});

it("shows how people sign in, and who is invited, only to members who may act on it", async () => {
  const { owner, add } = await arrange();
  const viewer = await add("VIEWER");
  const time = { nowAt: owner.now.toISOString(), timeZone: "UTC", locale: "en-US" };
  const seen = async (by: Context<MemberActor>) =>
    listMembers({ services, context: by, time }, { organizationName: "N" });
  const forOwner = await seen(owner);
  expect(forOwner.members.map(({ role, isYou }) => ({ role, isYou }))).toEqual([
    { role: "OWNER", isYou: true },
    { role: "VIEWER", isYou: false },
  ]);
  expect(z.object({ passkeyCount: z.literal(0) }).safeParse(forOwner.members[0]?.security).success).toBe(
    true,
  );
  // The only owner: no action is offered that would be refused.
  expect(forOwner.members[0]).toMatchObject({ roles: [], canRemove: false });
  const forViewer = await seen(viewer);
  expect(forViewer.members.every(({ security }) => security === null)).toBe(true);
  expect(forViewer.members.map(({ roles, canRemove }) => ({ roles, canRemove }))).toEqual([
    { roles: [], canRemove: false },
    { roles: [], canRemove: true },
  ]);
  expect(forViewer.invitations).toEqual([]);
});
