import type pg from "pg";
import { beforeEach, describe, expect, it } from "vitest";
import { forgetMessages } from "@/lib/core/notifications/forget-messages";
import { savePreference } from "@/lib/core/notifications/save-preference";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import type { Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";
import { askTransfer, moveAnything } from "@/lib/testing/api";
import { PLANNED_AS_SERVED, useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";
import { listMessages, readNotifications } from "@/lib/views/notifications/read-notifications";

const DAY_MS = 86_400_000;

const database = useTestDatabase(PLANNED_AS_SERVED);
beforeEach(async () => {
  await database.ownerPool.query("delete from message_proposals");
  await database.ownerPool.query("delete from messages");
});

async function arrange() {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const time = { nowAt: clock.now().toISOString(), timeZone: "UTC", locale: "en-US" };
  const read = (context: Context<MemberActor>, before: unknown = null) =>
    readNotifications({ services, context, time }, { publicKey: "", smsWay: "PROVIDER", before });
  return { services, clock, organization, owner: organization.owner, read };
}

interface Written {
  count?: number;
  channel?: "EMAIL" | "SMS";
  recipient?: string;
  status?: "QUEUED" | "SENT" | "FAILED";
  lastError?: string | null;
  at?: Date;
}

/** Writes messages to a member, a second apart, as the sender leaves them. @returns their ids, newest first. */
async function write(to: Context<MemberActor>, written: Written = {}): Promise<string[]> {
  const { rows } = await database.ownerPool.query<{ id: string }>(
    `insert into messages (organization_id, id, kind, channel, user_id, recipient, subject, body_text, body_html, status,
        created_at, due_at, attempts, last_error)
     select $1, new_id(at), 'RULE_RUN_FAILED', $3, $2, $4, case when $3 = 'EMAIL' then 'A rule failed' end, 'The text',
        case when $3 = 'EMAIL' then '<p>The text</p>' end, $5, at, case when $5 = 'QUEUED' then $8::timestamptz end, 1, $6
       from generate_series(1, $7) n, lateral (select $8::timestamptz - n * interval '1 second' as at) t
     returning id`,
    [
      to.organizationId,
      to.actor.id,
      written.channel ?? "EMAIL",
      written.recipient ?? to.actor.email,
      written.status ?? "SENT",
      written.lastError ?? null,
      written.count ?? 1,
      written.at ?? to.now,
    ],
  );
  return rows.map((row) => row.id);
}

describe("the log of messages", () => {
  it("shows owners and co-owners all messages of their organization, accountants and viewers their own", async () => {
    const { services, organization, owner, read } = await arrange();
    const jonas = await organization.addMember("CO_OWNER", "Jonas");
    const ada = await organization.addMember("ACCOUNTANT", "Ada");
    const tomas = await organization.addMember("VIEWER", "Tomas");
    const elsewhere = await createTestOrganization(database, services, "Elsewhere");
    for (const one of [owner, jonas, ada, tomas, elsewhere.owner]) await write(one);
    const namesSeenBy = async (one: Context<MemberActor>) =>
      (await read(one)).messages.map((message) => message.recipientName).sort();
    const all = ["Ada", "Jonas", "Mara", "Tomas"];
    expect(await namesSeenBy(owner)).toEqual(all);
    expect(await namesSeenBy(jonas)).toEqual(all);
    expect(await namesSeenBy(ada)).toEqual(["Ada"]);
    expect(await namesSeenBy(tomas)).toEqual(["Tomas"]);
    expect(await namesSeenBy(elsewhere.owner)).toEqual(["Mara"]);
    // Their own messages of one organization do not appear in another.
    expect(await namesSeenBy({ ...tomas, organizationId: elsewhere.organizationId })).toEqual([]);
  });

  it("shows the state of each, without texts or full addresses, even where the provider repeats them", async () => {
    const { owner, read } = await arrange();
    const phone = "+12125550131";
    const later = (seconds: number) => ({ at: new Date(owner.now.getTime() + seconds * 1_000) });
    await write(owner, later(1));
    await write(owner, { status: "QUEUED", lastError: "The server is busy.", ...later(2) });
    await write(owner, {
      channel: "SMS",
      recipient: phone,
      status: "FAILED",
      lastError: `The number ${phone} is not valid.`,
      ...later(3),
    });
    const { messages } = await read(owner);
    expect(messages).toMatchObject([
      {
        channel: "SMS",
        maskedRecipient: "+1 ••• ••• 0131",
        subject: null,
        state: { kind: "FAILED" },
        problem: "The number +1 ••• ••• 0131 is not valid.",
        attempts: 1,
      },
      {
        state: { kind: "WAITING", nextAttemptAt: later(2).at.toISOString() },
        problem: "The server is busy.",
      },
      { channel: "EMAIL", subject: "A rule failed", state: { kind: "SENT" }, problem: null },
    ]);
    const seen = JSON.stringify(messages);
    expect(seen).not.toContain("The text");
    expect(seen).not.toContain(phone);
    expect(seen).not.toContain(owner.actor.email);
  });

  it("shows the next attempt in the organization's time, whatever its sandbox clock says", async () => {
    const { owner, read, organization } = await arrange();
    await database.ownerPool.query("update organizations set clock_offset_ms = $2 where id = $1", [
      organization.organizationId,
      30 * DAY_MS,
    ]);
    await write(owner, { status: "QUEUED" });
    const { messages } = await read(owner);
    expect(messages[0]?.state).toEqual({
      kind: "WAITING",
      nextAttemptAt: new Date(owner.now.getTime() + 30 * DAY_MS).toISOString(),
    });
  });

  it("continues after the last message shown, so that new messages repeat none", async () => {
    const { owner, read } = await arrange();
    const ids = await write(owner, { count: 60 });
    const seen: string[] = [];
    let before: string | null = null;
    for (let page = 0; page < 3; page++) {
      const view = await read(owner, before);
      seen.push(...view.messages.map((message) => message.id));
      expect(view.newestHref === null).toBe(page === 0);
      before = view.olderHref ? new URL(view.olderHref, "http://localhost").searchParams.get("before") : null;
      await write(owner, { at: new Date(owner.now.getTime() + DAY_MS) });
    }
    expect(seen).toEqual(ids);
    expect(before).toBeNull();
  });

  it.each(["not an id", ["a"], "019a0000-0000-7000-8000-000000000000"])(
    "starts at the newest if the address contains %j",
    async (before) => {
      const { owner, read } = await arrange();
      const [id] = await write(owner);
      const view = await read(owner, before);
      expect(view.messages.map((message) => message.id)).toEqual([id]);
      expect(view.newestHref).toBeNull();
    },
  );

  it("does not start at another organization's message", async () => {
    const { services, owner, read } = await arrange();
    const elsewhere = await createTestOrganization(database, services, "Elsewhere");
    const [id] = await write(owner);
    const [foreign] = await write(elsewhere.owner, { at: new Date(owner.now.getTime() - DAY_MS) });
    expect((await read(owner, foreign)).messages.map((message) => message.id)).toEqual([id]);
  });
});

interface Plan {
  "Shared Hit Blocks": number;
  "Shared Read Blocks": number;
}

/** The pool, recording each named statement to explain it later. */
function noting(sent: pg.QueryConfig[]): Queryable {
  return new Proxy(database.pool, {
    get: (target, name) => {
      if (name !== "query") return Reflect.get(target, name);
      return (query: pg.QueryConfig | string, values?: unknown[]) => {
        if (typeof query !== "string") sent.push(query);
        return target.query(query, values);
      };
    },
  });
}

describe("a page of a long log", () => {
  it("reads few blocks, wherever it starts, even for a member with few messages", async () => {
    const { owner, organization } = await arrange();
    const tomas = await organization.addMember("VIEWER", "Tomas");
    const ids = await write(owner, { count: 30_000 });
    await write(tomas, { count: 30, at: new Date(owner.now.getTime() - 15_000_000) });
    await database.ownerPool.query("analyze messages");
    const { organizationId } = owner;
    for (const search of [
      { organizationId, userId: null, before: null },
      { organizationId, userId: null, before: ids[25_000] ?? null },
      { organizationId, userId: tomas.actor.id, before: null },
    ]) {
      const sent: pg.QueryConfig[] = [];
      expect((await listMessages(noting(sent), search)).messages).toHaveLength(25);
      const [statement] = sent;
      const { rows } = await database.pool.query<{ "QUERY PLAN": [{ Plan: Plan }] }>(
        `explain (analyze, buffers, format json) ${statement?.text}`,
        statement?.values,
      );
      const plan = rows[0]?.["QUERY PLAN"][0].Plan;
      if (!plan) throw new Error("There is no plan.");
      expect(JSON.stringify(plan)).not.toContain('"Sort"');
      expect(plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]).toBeLessThan(200);
    }
  });
});

describe("what a member may see and choose", () => {
  it("is every topic for owners and co-owners, and their own sign-ins for others", async () => {
    const { organization, owner, read } = await arrange();
    const topicsOf = async (one: Context<MemberActor>) => {
      const { topics, isDecider, showsEverybody } = await read(one);
      return { topics: topics.map(({ topic }) => topic), isDecider, showsEverybody };
    };
    for (const one of [owner, await organization.addMember("CO_OWNER", "Jonas")])
      expect(await topicsOf(one)).toEqual({
        topics: [
          "APPROVALS",
          "DECISIONS",
          "RULE_PROPOSALS",
          "RETURNS",
          "RULE_RUNS",
          "ENDPOINTS",
          "SECURITY",
          "GATES",
          "PAYEES",
          "RECONCILIATION",
          "WEEK",
          "UNUSUAL_USE",
        ],
        isDecider: true,
        showsEverybody: true,
      });
    for (const role of ["ACCOUNTANT", "VIEWER"] as const)
      expect(await topicsOf(await organization.addMember(role, role))).toEqual({
        topics: ["SECURITY"],
        isDecider: false,
        showsEverybody: false,
      });
  });

  it("is separate in each organization, with one phone number in all of them", async () => {
    const { services, owner, read } = await arrange();
    const elsewhere = await createTestOrganization(database, services, "Elsewhere");
    await database.ownerPool.query("insert into memberships values ($1, $2, 'OWNER', $3)", [
      elsewhere.organizationId,
      owner.actor.id,
      owner.now,
    ]);
    await database.ownerPool.query(
      "update users set phone = '+12125550131', phone_verified_at = $2 where id = $1",
      [owner.actor.id, owner.now],
    );
    const there = { ...owner, organizationId: elsewhere.organizationId };
    await savePreference(services, there, { topic: "RETURNS", channel: "SMS", isOn: false });
    const smsOfReturns = async (context: Context<MemberActor>) =>
      (await read(context)).topics.find(({ topic }) => topic === "RETURNS")?.sms;
    expect([await smsOfReturns(owner), await smsOfReturns(there)]).toEqual(["ON", "OFF"]);
    const verified = { kind: "VERIFIED", masked: "+1 ••• ••• 0131", verifiedAt: owner.now.toISOString() };
    expect([(await read(owner)).phone, (await read(there)).phone]).toEqual([verified, verified]);
  });
});

describe("messages older than 90 days", () => {
  const left = async () =>
    (
      await database.ownerPool.query<{
        id: string;
        status: string;
        bodyText: string;
        isForgotten: boolean;
      }>(
        `select id, status, body_text as "bodyText", is_forgotten as "isForgotten" from messages order by created_at`,
      )
    ).rows;

  it("are deleted; newer and queued ones are unchanged", async () => {
    const { services, clock, owner } = await arrange();
    const old = await write(owner, { at: new Date(owner.now.getTime() - DAY_MS), count: 3 });
    const [waiting] = await write(owner, { at: new Date(owner.now.getTime() - DAY_MS), status: "QUEUED" });
    const [young] = await write(owner, { at: new Date(owner.now.getTime() + 2_000) });
    clock.advance(90 * DAY_MS);
    expect(await forgetMessages(services, 2)).toBe(2);
    expect(await forgetMessages(services, 2)).toBe(old.length - 2);
    expect(await forgetMessages(services, 2)).toBe(0);
    expect((await left()).map(({ id, bodyText }) => ({ id, bodyText }))).toEqual([
      { id: waiting, bodyText: "The text" },
      { id: young, bodyText: "The text" },
    ]);
  });

  it("age by the clock of their own organization", async () => {
    const { services, owner } = await arrange();
    const ahead = await createTestOrganization(database, services, "Ahead");
    await write(owner);
    await write(ahead.owner);
    await database.ownerPool.query("update organizations set clock_offset_ms = $2 where id = $1", [
      ahead.organizationId,
      91 * DAY_MS,
    ]);
    expect(await forgetMessages(services, 100)).toBe(1);
    expect(
      (await database.ownerPool.query(`select organization_id as "organizationId" from messages`)).rows,
    ).toEqual([{ organizationId: owner.organizationId }]);
  });

  it("stay in the history of their proposal, without text and outside the log", async () => {
    const { services, clock, organization, owner, read } = await arrange();
    const accounts = {
      from: await organization.addAccount({ name: "Operating", type: "POD", balanceInCents: 900_000 }),
      to: await organization.addAccount({ name: "Taxes", type: "POD" }),
    };
    const key = await organization.addKey([moveAnything(true)]);
    const transfer = await askTransfer(services, key.context, {
      sourceAccountId: accounts.from,
      destinationAccountId: accounts.to,
      amountInCents: 12_500,
      reasonForApproval: "Q4 tax",
    });
    const [sent] = await write(owner);
    await database.ownerPool.query("insert into message_proposals values ($1, $2, $3)", [
      owner.organizationId,
      transfer.id,
      sent,
    ]);
    clock.advance(91 * DAY_MS);
    expect(await forgetMessages(services, 100)).toBe(1);
    expect(await forgetMessages(services, 100)).toBe(0);
    expect(await left()).toEqual([{ id: sent, status: "SENT", bodyText: "", isForgotten: true }]);
    expect((await read(owner)).messages).toEqual([]);
  });

  it("are deleted with their notices, except notices that are not handled yet", async () => {
    const { services, clock, organization } = await arrange();
    const { organizationId } = organization;
    const note = async (handledAt: Date | null) => {
      const id = newId(clock.now());
      await database.ownerPool.query(
        `insert into notices (organization_id, id, kind, subject_id, created_at, due_at, handled_at)
         values ($1, $2, 'ENDPOINT_DISABLED', $2, $3, $3, $4)`,
        [organizationId, id, clock.now(), handledAt],
      );
      return id;
    };
    await note(clock.now());
    const untold = await note(null);
    clock.advance(90 * DAY_MS - 60_000);
    const young = await note(clock.now());
    expect(await forgetMessages(services, 100), "before the 90 days are over").toBe(0);
    clock.advance(61_000);
    expect(await forgetMessages(services, 100)).toBe(1);
    const { rows } = await database.ownerPool.query(
      "select id from notices where organization_id = $1 order by id",
      [organizationId],
    );
    expect(rows).toEqual([{ id: untold }, { id: young }]);
  });
});
