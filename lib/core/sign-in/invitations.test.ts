import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { AppError } from "@/lib/contract/error";
import {
  INVITATION_LIFETIME_MS,
  MAXIMUM_INVITATIONS,
  MEMBER_ROLES,
  type MemberRole,
} from "@/lib/contract/members";
import { sendMessages } from "@/lib/core/notifications/send-messages";
import { sendNotices } from "@/lib/core/notifications/send-notices";
import { acceptAsMember, acceptAsNew, acceptWithPassword } from "@/lib/core/organizations/accept-invitation";
import { changeMemberRole, removeMember } from "@/lib/core/organizations/change-member";
import { findInvitation } from "@/lib/core/organizations/find-invitation";
import { resendInvitation, withdrawInvitation } from "@/lib/core/organizations/invite-member";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { NotConfirmed } from "@/lib/core/sign-in/not-confirmed";
import { readSession } from "@/lib/core/sign-in/read-session";
import { newRequestId } from "@/lib/platform/ids";
import { inviteMember } from "@/lib/testing/as-entered";
import { useTestDatabase } from "@/lib/testing/database";
import {
  makeMember,
  makeOrganization,
  signIn,
  TEST_PASSWORD,
  testBrowser,
  testServices,
} from "@/lib/testing/members";
import { listMembers } from "@/lib/views/members/list-members";

const database = useTestDatabase();
let services: ReturnType<typeof testServices>;
beforeEach(() => {
  services = testServices(database);
});

const SETTING = { isSandboxBank: true };
const PERSON = { name: "Ines Newcomer", password: "a password of her own" };
const freshEmail = () => `${randomUUID()}@example.com`;

function contextOf(organizationId: string, actor: MemberActor): Context<MemberActor> {
  return { organizationId, actor, now: services.clock.now(), requestId: newRequestId(), calledReason: null };
}

async function arrange(name = "Northwind Studio") {
  const { organizationId, ownerEmail } = await makeOrganization(services, name);
  const owner = contextOf(organizationId, await signIn(services, ownerEmail));
  const add = async (role: MemberRole) => {
    const { email } = await makeMember(services, organizationId, role);
    return contextOf(organizationId, await signIn(services, email));
  };
  /** The secret in the newest email to this address. */
  const tokenTo = async (email: string) => {
    const { rows } = await database.ownerPool.query<{ bodyText: string }>(
      `select body_text as "bodyText" from messages
        where organization_id = $1 and recipient = $2 and kind = 'INVITATION'
        order by id desc limit 1`,
      [organizationId, email],
    );
    const token = /\/invitations\/([A-Za-z0-9_-]{43})/.exec(rows[0]?.bodyText ?? "")?.[1];
    if (!token) throw new Error("No link was sent.");
    return token;
  };
  const invite = async (email: string, role: MemberRole = "VIEWER", by = owner) => {
    await inviteMember(services, by, { email, role }, SETTING);
    return tokenTo(email);
  };
  const invitationIdOf = async (email: string) => {
    const { rows } = await database.ownerPool.query<{ id: string }>(
      "select id from invitations where organization_id = $1 and email = $2",
      [organizationId, email],
    );
    return rows[0]?.id ?? randomUUID();
  };
  const rolesOf = async (email: string) => {
    const { rows } = await database.ownerPool.query<{ role: MemberRole }>(
      `select m.role from memberships m join users u on u.id = m.user_id
        where m.organization_id = $1 and u.email = $2`,
      [organizationId, email],
    );
    return rows.map(({ role }) => role);
  };
  return { organizationId, owner, add, invite, tokenTo, invitationIdOf, rolesOf };
}

describe("a new person", () => {
  it("joins with the invitation's role, is signed in, and the link stops working", async () => {
    const { organizationId, invite, rolesOf } = await arrange();
    const email = freshEmail();
    const token = await invite(email, "ACCOUNTANT");
    expect(await findInvitation(services, token)).toMatchObject({
      organizationName: "Northwind Studio",
      email,
      role: "ACCOUNTANT",
      isKnown: false,
    });
    const outcome = await acceptAsNew(services, token, PERSON, testBrowser());
    if (outcome.kind !== "SIGNED_IN") throw new Error(outcome.kind);
    const session = await readSession(services, outcome.sessionId);
    expect(session?.organization.id).toBe(organizationId);
    expect(session?.actor).toMatchObject({ name: PERSON.name, email, role: "ACCOUNTANT" });
    expect(await signIn(services, email, PERSON.password)).toMatchObject({ role: "ACCOUNTANT" });
    expect(await findInvitation(services, token)).toBeNull();
    expect(await acceptAsNew(services, token, PERSON, testBrowser())).toEqual({ kind: "OVER" });
    expect(await rolesOf(email)).toEqual(["ACCOUNTANT"]);
  });

  it("becomes one member with one password, however many accept concurrently", async () => {
    const { invite, rolesOf } = await arrange();
    const email = freshEmail();
    const token = await invite(email);
    const passwords = Array.from({ length: 6 }, (_, index) => `password number ${index}`);
    const outcomes = await Promise.all(
      passwords.map((password) => acceptAsNew(services, token, { ...PERSON, password }, testBrowser())),
    );
    const winners = outcomes.flatMap(({ kind }, index) => (kind === "SIGNED_IN" ? [index] : []));
    expect(winners).toHaveLength(1);
    expect(outcomes.every(({ kind }) => ["SIGNED_IN", "OVER", "KNOWN"].includes(kind))).toBe(true);
    expect(await rolesOf(email)).toEqual(["VIEWER"]);
    expect(await signIn(services, email, passwords[winners[0] ?? -1])).toMatchObject({ email });
  });

  it("invited by two organizations, cannot have their password chosen by the other link", async () => {
    const [first, second] = [await arrange("First"), await arrange("Second")];
    const email = freshEmail();
    const tokens = [await first.invite(email), await second.invite(email)];
    const outcomes = await Promise.all(
      tokens.map((token, index) =>
        acceptAsNew(services, token, { ...PERSON, password: `password number ${index}` }, testBrowser()),
      ),
    );
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(["KNOWN", "SIGNED_IN"]);
    const won = outcomes.findIndex(({ kind }) => kind === "SIGNED_IN");
    const late = tokens[1 - won] ?? "";
    // The other link is still valid, for anyone who knows the chosen password.
    expect(
      await acceptWithPassword(services, late, { password: `password number ${won}` }, testBrowser()),
    ).toMatchObject({ kind: "SIGNED_IN" });
    expect([await first.rolesOf(email), await second.rolesOf(email)]).toEqual([["VIEWER"], ["VIEWER"]]);
  });

  it("learns what is wrong with name and password, and the link stays valid", async () => {
    const { invite } = await arrange();
    const token = await invite(freshEmail());
    const outcome = await acceptAsNew(services, token, { name: " ", password: "short" }, testBrowser());
    if (outcome.kind !== "INVALID") throw new Error(outcome.kind);
    expect(outcome.details.map(({ field }) => field).sort()).toEqual(["name", "password"]);
    expect(await findInvitation(services, token)).not.toBeNull();
  });
});

describe("a person with an account in another organization", () => {
  it("keeps their password: the link alone signs no one in as them", async () => {
    const [here, elsewhere] = [await arrange(), await arrange("Elsewhere")];
    const { email } = await makeMember(services, elsewhere.organizationId, "OWNER");
    const token = await here.invite(email.toUpperCase().toLowerCase());
    expect(await acceptAsNew(services, token, PERSON, testBrowser())).toEqual({ kind: "KNOWN" });
    expect(await acceptWithPassword(services, token, { password: "a guess" }, testBrowser())).toEqual({
      kind: "FAILED",
    });
    expect(await here.rolesOf(email)).toEqual([]);
    const outcome = await acceptWithPassword(services, token, { password: TEST_PASSWORD }, testBrowser());
    if (outcome.kind !== "SIGNED_IN") throw new Error(outcome.kind);
    const session = await readSession(services, outcome.sessionId);
    expect(session?.organization.id).toBe(here.organizationId);
    expect(session?.actor.role).toBe("VIEWER");
    expect(await elsewhere.rolesOf(email)).toEqual(["OWNER"]);
  });

  it("joins where they are signed in, and no one else with the link does", async () => {
    const [here, elsewhere] = [await arrange(), await arrange("Elsewhere")];
    const { email } = await makeMember(services, elsewhere.organizationId, "VIEWER");
    const token = await here.invite(email, "CO_OWNER");
    await expect(acceptAsMember(services, elsewhere.owner.actor, token)).rejects.toThrow(
      "for another address",
    );
    const actor = await signIn(services, email);
    const results = await Promise.allSettled(
      Array.from({ length: 5 }, () => acceptAsMember(services, actor, token)),
    );
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await here.rolesOf(email)).toEqual(["CO_OWNER"]);
    expect((await readSession(services, actor.sessionId))?.organization.id).toBe(here.organizationId);
  });

  it("can return after being removed, though they could not sign in without a membership", async () => {
    const { owner, add, invite, rolesOf } = await arrange();
    const viewer = await add("VIEWER");
    await removeMember(services, owner, viewer.actor.id);
    const token = await invite(viewer.actor.email);
    const outcome = await acceptWithPassword(services, token, { password: TEST_PASSWORD }, testBrowser());
    expect(outcome.kind).toBe("SIGNED_IN");
    expect(await rolesOf(viewer.actor.email)).toEqual(["VIEWER"]);
  });

  it("cannot be guessed at faster with a link than on the sign-in page", async () => {
    const { owner, add, invite } = await arrange();
    const viewer = await add("VIEWER");
    await removeMember(services, owner, viewer.actor.id);
    const token = await invite(viewer.actor.email);
    const browser = testBrowser();
    const guess = () => acceptWithPassword(services, token, { password: "a guess" }, browser);
    const kinds: string[] = [];
    for (let tried = 0; tried < 11; tried++) kinds.push((await guess()).kind);
    expect(kinds.slice(0, 10)).toEqual(Array(10).fill("FAILED"));
    expect(kinds[10]).toBe("THROTTLED");
  });
});

describe("a link", () => {
  it("works for seven days of real time, and not after", async () => {
    const { invite, rolesOf } = await arrange();
    const email = freshEmail();
    const token = await invite(email);
    services.clock.advance(INVITATION_LIFETIME_MS - 1_000);
    expect(await findInvitation(services, token)).not.toBeNull();
    services.clock.advance(1_000);
    expect(await findInvitation(services, token)).toBeNull();
    expect(await acceptAsNew(services, token, PERSON, testBrowser())).toEqual({ kind: "OVER" });
    expect(await rolesOf(email)).toEqual([]);
  });

  it.each(["", "x", "../../settings/members", "a".repeat(43), "a".repeat(10_000)])(
    "is not %j",
    async (token) => {
      expect(await findInvitation(services, token)).toBeNull();
      expect(await acceptAsNew(services, token, PERSON, testBrowser())).toEqual({ kind: "OVER" });
    },
  );

  it("stops working when withdrawn or resent, and the new one works", async () => {
    const { owner, invite, tokenTo, invitationIdOf } = await arrange();
    const email = freshEmail();
    const first = await invite(email);
    await resendInvitation(services, owner, await invitationIdOf(email), SETTING);
    const second = await tokenTo(email);
    expect(await findInvitation(services, first)).toBeNull();
    expect(await findInvitation(services, second)).not.toBeNull();
    await withdrawInvitation(services, owner, await invitationIdOf(email));
    expect(await findInvitation(services, second)).toBeNull();
  });

  it("does not outlive its sender's authority", async () => {
    const { owner, add, invite } = await arrange();
    const [coOwner, otherOwner] = [await add("CO_OWNER"), await add("OWNER")];
    const byCoOwner = await invite(freshEmail(), "VIEWER", coOwner);
    const byOther = await invite(freshEmail(), "OWNER", otherOwner);
    await changeMemberRole(services, owner, { userId: coOwner.actor.id, role: "VIEWER" });
    await removeMember(services, owner, otherOwner.actor.id);
    for (const token of [byCoOwner, byOther]) {
      expect(await findInvitation(services, token)).toBeNull();
      expect(await acceptAsNew(services, token, PERSON, testBrowser())).toEqual({ kind: "OVER" });
    }
  });

  it("stays over when its sender regains the role, and others of theirs stay valid", async () => {
    const { owner, add, invite } = await arrange();
    const other = await add("OWNER");
    const [forOwner, forViewer] = [
      await invite(freshEmail(), "OWNER", other),
      await invite(freshEmail(), "VIEWER", other),
    ];
    await changeMemberRole(services, owner, { userId: other.actor.id, role: "CO_OWNER" });
    expect(await findInvitation(services, forViewer)).toMatchObject({ role: "VIEWER" });
    await changeMemberRole(services, owner, { userId: other.actor.id, role: "OWNER" });
    expect(await findInvitation(services, forOwner)).toBeNull();
    expect(await findInvitation(services, forViewer)).toMatchObject({ role: "VIEWER" });
    await changeMemberRole(services, owner, { userId: other.actor.id, role: "ACCOUNTANT" });
    await changeMemberRole(services, owner, { userId: other.actor.id, role: "OWNER" });
    expect(await findInvitation(services, forViewer)).toBeNull();
  });

  it("is stored in one email until it is sent, and nowhere else", async () => {
    const { organizationId, invite } = await arrange();
    const email = freshEmail();
    const token = await invite(email);
    const sent: string[] = [];
    const ports = {
      mail: {
        send: async ({ to, text }: { to: string; text: string }) => {
          sent.push(`${to} ${text}`);
          return { providerId: null };
        },
      },
      sms: { send: async () => ({ providerId: null }) },
    };
    while ((await sendMessages(services, ports, 50)) > 0);
    expect(sent.filter((message) => message.includes(token))).toHaveLength(1);
    const { rows } = await database.ownerPool.query<{ text: string }>(
      `select row_to_json(m)::text as text from messages m where organization_id = $1
       union all select row_to_json(v)::text from invitations v where organization_id = $1`,
      [organizationId],
    );
    expect(rows.length).toBeGreaterThanOrEqual(2);
    expect(rows.map(({ text }) => text).join()).not.toContain(token);
  });

  it("does not promote an existing member", async () => {
    const { organizationId, invite, rolesOf } = await arrange();
    const [{ organizationId: other }] = [await makeOrganization(services, "Other")];
    const { email, userId } = await makeMember(services, other, "VIEWER");
    const token = await invite(email, "OWNER");
    await database.ownerPool.query(
      "insert into memberships (organization_id, user_id, role, created_at) values ($1, $2, 'VIEWER', now())",
      [organizationId, userId],
    );
    await acceptAsMember(services, await signIn(services, email), token);
    expect(await rolesOf(email)).toEqual(["VIEWER"]);
  });
});

describe("who may invite", () => {
  it("owners for every role, co-owners for roles that decide nothing, and no one else", async () => {
    const { owner, add, rolesOf } = await arrange();
    const actors = [owner, await add("CO_OWNER"), await add("ACCOUNTANT"), await add("VIEWER")];
    const allowed: Record<string, MemberRole[]> = {};
    for (const by of actors) {
      for (const role of MEMBER_ROLES) {
        const invited = inviteMember(services, by, { email: freshEmail(), role }, SETTING);
        const isAllowed = await invited.then(
          () => true,
          (error) => {
            expect(error).toMatchObject({ code: "ACCESS_DENIED" });
            return false;
          },
        );
        if (isAllowed) allowed[by.actor.role] = [...(allowed[by.actor.role] ?? []), role];
      }
    }
    expect(allowed).toEqual({ OWNER: [...MEMBER_ROLES], CO_OWNER: ["ACCOUNTANT", "VIEWER"] });
    expect(await rolesOf("nobody@example.com")).toEqual([]);
  });

  it("is checked when acting, not when the page loads", async () => {
    const { owner, add } = await arrange();
    const coOwner = await add("CO_OWNER");
    await changeMemberRole(services, owner, { userId: coOwner.actor.id, role: "VIEWER" });
    const invited = inviteMember(services, coOwner, { email: freshEmail(), role: "VIEWER" }, SETTING);
    await expect(invited).rejects.toMatchObject({ code: "ACCESS_DENIED" });
  });

  it("a viewer can neither withdraw nor resend, nor can a co-owner an owner's invitation of a co-owner", async () => {
    const { add, invite, invitationIdOf } = await arrange();
    const [viewer, coOwner] = [await add("VIEWER"), await add("CO_OWNER")];
    const [low, high] = [freshEmail(), freshEmail()];
    await invite(low, "VIEWER");
    await invite(high, "CO_OWNER");
    const attempts = [
      { by: viewer, id: await invitationIdOf(low) },
      { by: coOwner, id: await invitationIdOf(high) },
    ];
    for (const { by, id } of attempts) {
      await expect(withdrawInvitation(services, by, id)).rejects.toMatchObject({ code: "ACCESS_DENIED" });
      await expect(resendInvitation(services, by, id, SETTING)).rejects.toMatchObject({
        code: "ACCESS_DENIED",
      });
    }
  });

  it("cannot reach another organization's invitations", async () => {
    const [here, elsewhere] = [await arrange(), await arrange("Elsewhere")];
    const email = freshEmail();
    const token = await elsewhere.invite(email);
    const id = await elsewhere.invitationIdOf(email);
    await expect(withdrawInvitation(services, here.owner, id)).rejects.toThrow("no longer pending");
    await expect(resendInvitation(services, here.owner, id, SETTING)).rejects.toThrow("no longer pending");
    expect(await findInvitation(services, token)).toMatchObject({ organizationName: "Elsewhere" });
  });

  it("requires step-up for a role that decides about money", async () => {
    const { owner } = await arrange();
    services.clock.advance(6 * 60_000);
    const invite = (role: MemberRole) =>
      inviteMember(services, owner, { email: freshEmail(), role }, SETTING);
    await expect(invite("CO_OWNER")).rejects.toThrow(NotConfirmed);
    await expect(invite("OWNER")).rejects.toThrow(NotConfirmed);
    await invite("ACCOUNTANT");
  });
});

describe("an address", () => {
  it("is invited once at a time, even concurrently, and a member never", async () => {
    const { owner, add, organizationId } = await arrange();
    const viewer = await add("VIEWER");
    const email = freshEmail();
    const results = await Promise.allSettled(
      Array.from({ length: 4 }, () => inviteMember(services, owner, { email, role: "VIEWER" }, SETTING)),
    );
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const { rowCount } = await database.ownerPool.query(
      "select 1 from messages where organization_id = $1 and recipient = $2",
      [organizationId, email],
    );
    expect(rowCount).toBe(1);
    const again = inviteMember(services, owner, { email: viewer.actor.email, role: "OWNER" }, SETTING);
    await expect(again).rejects.toThrow("is already a member");
  });

  it("does not reveal to the inviter whether it has an account here", async () => {
    const [here, elsewhere] = [await arrange(), await arrange("Elsewhere")];
    const { email: known } = await makeMember(services, elsewhere.organizationId, "OWNER");
    const unknown = freshEmail();
    await here.invite(known);
    await here.invite(unknown);
    const time = { nowAt: here.owner.now.toISOString(), timeZone: "UTC", locale: "en-US" };
    const { invitations } = await listMembers(
      { services, context: here.owner, time },
      { organizationName: "N" },
    );
    const [one, other] = invitations.map(({ id, email, ...rest }) => rest);
    expect(one).toEqual(other);
  });

  it("gets at most five invitations a day from one organization, which sends no more than its limit", async () => {
    const { owner, invitationIdOf, invite } = await arrange();
    const email = freshEmail();
    await invite(email);
    const id = await invitationIdOf(email);
    for (let sent = 1; sent < 5; sent++) await resendInvitation(services, owner, id, SETTING);
    await expect(resendInvitation(services, owner, id, SETTING)).rejects.toMatchObject({
      code: "RATE_LIMIT_EXCEEDED",
    });
    for (let waiting = 1; waiting < MAXIMUM_INVITATIONS; waiting++) await invite(freshEmail());
    await expect(invite(freshEmail())).rejects.toThrow("The limit is reached");
  });

  it.each(["", "nobody", "a@b", `${"a".repeat(250)}@example.com`])("is not %j", async (email) => {
    const { owner } = await arrange();
    const invited = inviteMember(services, owner, { email, role: "VIEWER" }, SETTING);
    await expect(invited).rejects.toThrow(AppError);
  });
});

it("owners and co-owners are notified once of a new member, and the new member is not", async () => {
  const { organizationId, add, invite } = await arrange();
  await add("CO_OWNER");
  await add("VIEWER");
  const email = freshEmail();
  await acceptAsNew(services, await invite(email, "CO_OWNER"), PERSON, testBrowser());
  while ((await sendNotices(services, SETTING, 50)) > 0);
  const { rows } = await database.ownerPool.query<{ subject: string; recipient: string; bodyText: string }>(
    `select subject, recipient,
        body_text as "bodyText" from messages where organization_id = $1 and kind = 'MEMBER_JOINED'`,
    [organizationId],
  );
  expect(rows).toHaveLength(2);
  expect(rows.every(({ subject }) => subject === "Ines Newcomer joined as co-owner")).toBe(true);
  expect(rows.map(({ recipient }) => recipient)).not.toContain(email);
  expect(rows[0]?.bodyText).toContain("invited by Olivia Owner");
});
