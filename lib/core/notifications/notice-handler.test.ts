import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sendNotices } from "@/lib/core/notifications/send-notices";
import { writeNotice } from "@/lib/core/shared/write-notice";
import { signInWithPassword } from "@/lib/core/sign-in/sign-in-with-password";
import type { Services } from "@/lib/platform/services";
import { createTestDatabase, type TestDatabase } from "@/lib/testing/database";
import { makeMember, TEST_PASSWORD, testBrowser } from "@/lib/testing/members";
import { linksIn } from "@/lib/testing/message-examples";
import { arrangeNotices } from "@/lib/testing/notices";
import { storeRule, storeRun } from "@/lib/testing/rules/rule-runs";
import { createTestServices } from "@/lib/testing/services";

// The workers process all organizations, so each test has its own database.
let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.close());

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** A rule of which only the name matters. */
const sweepOf = (accountId: string, name: string) => ({
  name,
  trigger: { type: "MANUAL" as const, accountId },
  steps: [
    {
      actions: [
        { type: "REMAINDER", sourceAccountId: accountId, destinationAccountId: randomUUID(), group: 0 },
      ],
    },
  ],
});

async function arrange({ ruleName = "Split client payments", accountName = "Operating" } = {}) {
  const { services, clock } = createTestServices(database);
  const context = await arrangeNotices(database, services);
  const { organization, owner } = context;
  const operating = await organization.addAccount({ name: accountName, type: "POD" });
  const rule = await storeRule(database, owner, sweepOf(operating, ruleName));
  const failRuns = async (count: number, now = clock.now()) => {
    for (let index = 0; index < count; index += 1) {
      await storeRun(database, { ...owner, now }, { ruleId: rule.id, status: "FAILED" });
    }
  };
  const returnTransfers = async (count: number) => {
    for (let index = 0; index < count; index += 1) await organization.deposit(operating, 10_000);
    await database.ownerPool.query(
      "update transfers set status = 'RETURNED', error_code = 'ACH_R10', updated_at = $1 where status = 'COMPLETE'",
      [clock.now()],
    );
  };
  return { ...context, services, clock, rule, operating, failRuns, returnTransfers };
}

describe("members' preferences", () => {
  it("apply to the members who chose them only", async () => {
    const { services, owner, jonas, choose, failRuns, deliver, mails, texts, verifyPhone } = await arrange();
    await verifyPhone(owner.actor.id, "+12125550131");
    await verifyPhone(jonas.actor.id, "+12125550108");
    await choose(services, jonas, { topic: "RULE_RUNS", channel: "EMAIL", isOn: false });
    await choose(services, jonas, { topic: "RULE_RUNS", channel: "SMS", isOn: true });
    await failRuns(1);
    await deliver();
    expect(mails.map(({ to }) => to)).toEqual([owner.actor.email]);
    expect(texts.map(({ to }) => to)).toEqual(["+12125550108"]);
  });

  it("send no SMS to an unverified number", async () => {
    const { services, owner, choose, failRuns, deliver, texts } = await arrange();
    await database.ownerPool.query("update users set phone = '+12125550131' where id = $1", [owner.actor.id]);
    await choose(services, owner, { topic: "RULE_RUNS", channel: "SMS", isOn: true });
    await failRuns(1);
    await deliver();
    expect(texts).toEqual([]);
  });

  it("silence no security notice, not even by a row written by hand", async () => {
    const { owner, services, organization, deliver, recipients, deciders } = await arrange();
    await database.ownerPool.query(
      `insert into notification_preferences
         select organization_id, user_id, topic, false, false from memberships, unnest(array['SECURITY', 'APPROVALS']) topic`,
    );
    const key = await organization.addKey([], "bot");
    await writeNotice(services.pool, {
      organizationId: owner.organizationId,
      kind: "KEY_CREATED",
      subjectId: key.id,
      userId: null,
      digestKey: owner.organizationId,
      now: services.clock.now(),
    });
    await deliver();
    expect(recipients()).toEqual(deciders);
  });

  it("of another organization do not apply here", async () => {
    const { services, owner, elsewhere, choose, failRuns, deliver, recipients, deciders } = await arrange();
    await database.ownerPool.query("insert into memberships values ($1, $2, 'OWNER', now())", [
      elsewhere.organizationId,
      owner.actor.id,
    ]);
    await choose(
      services,
      { ...owner, organizationId: elsewhere.organizationId },
      { topic: "RULE_RUNS", channel: "EMAIL", isOn: false },
    );
    await failRuns(1);
    await deliver();
    expect(recipients()).toEqual(deciders);
  });
});

describe("a flood", () => {
  it("of failed runs of one rule is five emails per person, then one digest per quarter of an hour", async () => {
    const { clock, failRuns, deliver, mails, rule } = await arrange();
    await failRuns(130);
    await deliver();
    expect(mails).toHaveLength(5 * 2);
    mails.length = 0;
    clock.advance(15 * MINUTE_MS);
    await deliver();
    expect(mails.map(({ subject }) => subject)).toEqual([
      "125 more runs of Split client payments failed",
      "125 more runs of Split client payments failed",
    ]);
    expect(mails[0]?.text).toContain("- and 115 more");
    expect(mails.map((mail) => linksIn(mail)[0])).toEqual(
      mails.map(() => `http://localhost:3000/rules/${rule.id}/runs`),
    );
  });

  it("of one rule does not delay notices of another", async () => {
    const { services, owner, operating, failRuns, deliver, mails } = await arrange();
    const other = await storeRule(database, owner, sweepOf(operating, "Pay rent"));
    await failRuns(9);
    await storeRun(database, { ...owner, now: services.clock.now() }, { ruleId: other.id, status: "FAILED" });
    await deliver();
    expect(mails.filter(({ subject }) => subject === "Pay rent failed")).toHaveLength(2);
  });

  it("of returned transfers is a digest with their total", async () => {
    const { clock, returnTransfers, deliver, mails, texts, owner, verifyPhone } = await arrange();
    await verifyPhone(owner.actor.id, "+12125550131");
    await returnTransfers(8);
    await deliver();
    mails.length = 0;
    texts.length = 0;
    clock.advance(15 * MINUTE_MS);
    await deliver();
    expect(mails.map(({ subject }) => subject)).toEqual([
      "3 more transfers were returned by the bank",
      "3 more transfers were returned by the bank",
    ]);
    expect(mails[0]?.text).toContain("$300.00 in all. The bookings were reversed.");
    expect(mails[0]?.text).toContain("- $100.00 from Halden Health to Operating: not authorized (R10)");
    expect(texts.map(({ text }) => text)).toEqual([
      "Sluice: 3 more transfers were returned by the bank, $300.00 in all. http://localhost:3000/accounts",
    ]);
  });

  it("ends in a digest a quarter of an hour later, even if the organization's clock was moved", async () => {
    const { clock, owner, failRuns, deliver, mails } = await arrange();
    const offsetMs = 40 * DAY_MS;
    await database.ownerPool.query("update organizations set clock_offset_ms = $2 where id = $1", [
      owner.organizationId,
      offsetMs,
    ]);
    await failRuns(7, new Date(clock.now().getTime() + offsetMs));
    await deliver();
    expect(mails).toHaveLength(10);
    clock.advance(15 * MINUTE_MS);
    await deliver();
    expect(mails.slice(10).map(({ subject }) => subject)).toEqual([
      "2 more runs of Split client payments failed",
      "2 more runs of Split client payments failed",
    ]);
  });
});

describe("untrusted names and messages", () => {
  it("add no link, header or misleading line to a digest", async () => {
    const name = "\u202Ehttps://evil.example\r\nBcc: eve";
    const { clock, failRuns, returnTransfers, deliver, mails } = await arrange({ accountName: name });
    await database.ownerPool.query("update rules set name = $1", [name]);
    await failRuns(8);
    await database.ownerPool.query("update rule_executions set error_message = $1", [
      `${name} is closed.\n\nReview and decide:`,
    ]);
    await returnTransfers(8);
    await deliver();
    clock.advance(15 * MINUTE_MS);
    await deliver();
    expect(mails).toHaveLength(2 * (5 + 1 + 5 + 1));
    for (const mail of mails) {
      expect(mail.subject).not.toMatch(/[\r\n\u202E]|:\/\//);
      expect(mail.text).not.toMatch(/\u202E|evil\.example|^Bcc|^Review and decide/m);
      expect(mail.html).not.toMatch(/\u202E|evil\.example/);
      expect(linksIn(mail)).toHaveLength(1);
    }
  });
});

describe("a notice that cannot be prepared", () => {
  it("delays no other notice, is retried, and is dropped after a day", async () => {
    const { services, clock, owner, failRuns, elsewhere, deliver, recipients, mails } = await arrange();
    await database.ownerPool.query("update organizations set time_zone = 'Nowhere/At_All' where id = $1", [
      owner.organizationId,
    ]);
    const account = await elsewhere.addAccount({ name: "Operating", type: "POD" });
    const other = await storeRule(database, elsewhere.owner, sweepOf(account, "Another rule"));
    await failRuns(1);
    await storeRun(
      database,
      { ...elsewhere.owner, now: clock.now() },
      { ruleId: other.id, status: "FAILED" },
    );
    await deliver();
    expect(recipients()).toEqual([elsewhere.owner.actor.email]);
    const open = async () => {
      const { rows } = await database.pool.query("select 1 from notices where handled_at is null");
      return rows.length;
    };
    clock.advance(15 * MINUTE_MS);
    expect(await sendNotices(services, { isSandboxBank: true }, 50)).toBe(1);
    expect(await open()).toBe(1);
    clock.advance(DAY_MS);
    await deliver();
    expect(await open()).toBe(0);
    expect(mails).toHaveLength(1);
  });

  it("reaches everyone once it can be prepared", async () => {
    const { clock, owner, failRuns, deliver, recipients, deciders } = await arrange();
    await database.ownerPool.query("update organizations set time_zone = 'Nowhere/At_All' where id = $1", [
      owner.organizationId,
    ]);
    await failRuns(1);
    await deliver();
    expect(recipients()).toEqual([]);
    await database.ownerPool.query("update organizations set time_zone = 'America/New_York'");
    clock.advance(15 * MINUTE_MS);
    await deliver();
    expect(recipients()).toEqual(deciders);
  });
});

describe("a crash between a notice and its messages", () => {
  it("loses none and duplicates none", async () => {
    const { services, failRuns, deliver, mails, recipients, deciders } = await arrange();
    await failRuns(1);
    await expect(deliver(crashingAtCommit(services))).rejects.toThrow("crashed");
    expect(mails).toEqual([]);
    const { rows } = await database.pool.query("select 1 from messages");
    expect(rows).toEqual([]);
    await deliver();
    await deliver();
    expect(recipients()).toEqual(deciders);
  });
});

/** The same services, but the process crashes instead of committing. */
function crashingAtCommit(services: Services): Services {
  const pool = Object.create(services.pool);
  pool.connect = async () => {
    const client = await services.pool.connect();
    return {
      query: (query: unknown, values?: unknown[]) => {
        if (query === "commit") return Promise.reject(new Error("crashed"));
        return Reflect.apply(client.query, client, [query, values]);
      },
      release: () => client.release(true),
    };
  };
  return { ...services, pool };
}

describe("a sign-in from a new browser", () => {
  it("notifies only that person, whatever their role, of browser, method and network", async () => {
    const { services, organization, mails, deliver } = await arrange();
    const viewer = await makeMember(services, organization.organizationId, "VIEWER");
    const signIn = async (userAgent: string) =>
      signInWithPassword(
        services,
        { email: viewer.email, password: TEST_PASSWORD },
        { ...testBrowser("203.0.113.77"), userAgent },
      );
    await signIn("Vitest");
    await deliver();
    expect(mails).toEqual([]);
    await signIn(
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/131.0 Safari/537.36",
    );
    await deliver();
    expect(mails.map(({ to, subject }) => ({ to, subject }))).toEqual([
      { to: viewer.email, subject: "Did you sign in with Chrome on macOS?" },
    ]);
    expect(mails[0]?.text).toContain("with your password, Thu, Jan 15");
    expect(mails[0]?.text).toContain("Network: 203.0.113.x.");
    expect(mails[0]?.text).not.toContain("203.0.113.77");
    expect(mails[0] && linksIn(mails[0])).toEqual(["http://localhost:3000/settings/security"]);
  });

  it("is reported in real time even if the organization's clock was moved", async () => {
    const { services, organization, mails, deliver } = await arrange();
    await database.ownerPool.query("update organizations set clock_offset_ms = $1", [40 * DAY_MS]);
    const member = await makeMember(services, organization.organizationId, "ACCOUNTANT");
    const input = { email: member.email, password: TEST_PASSWORD };
    for (let index = 0; index < 2; index += 1) await signInWithPassword(services, input, testBrowser());
    await deliver();
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).toContain("Thu, Jan 15");
  });

  it("becomes a digest if there are many, so that signing in cannot flood a mailbox", async () => {
    const { services, clock, organization, mails, deliver } = await arrange();
    const member = await makeMember(services, organization.organizationId, "VIEWER");
    const input = { email: member.email, password: TEST_PASSWORD };
    for (let index = 0; index < 9; index += 1) await signInWithPassword(services, input, testBrowser());
    await deliver();
    expect(mails).toHaveLength(5);
    clock.advance(15 * MINUTE_MS);
    await deliver();
    expect(mails.slice(5).map(({ subject }) => subject)).toEqual([
      "Did you sign in 3 more times from new browsers?",
    ]);
  });
});
