import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { decideProposal } from "@/lib/core/approvals/decide-proposal";
import { remindDeciders } from "@/lib/core/approvals/expire-proposals";
import { sendMessages } from "@/lib/core/notifications/send-messages";
import { sendNotices } from "@/lib/core/notifications/send-notices";
import {
  type MailPort,
  MessageNotSent,
  type OutgoingMail,
  type OutgoingSms,
} from "@/lib/ports/messages/message-ports";
import { askTransfer, moveAnything } from "@/lib/testing/api";
import { createTestDatabase, type TestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { storeRule } from "@/lib/testing/rules/rule-runs";
import { createTestServices } from "@/lib/testing/services";
import { getApproval } from "@/lib/views/approvals/get-approval";

// The workers process all organizations, so each test has its own database.
let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.close());

const HOUR_MS = 3_600_000;
const SANDBOX = { isSandboxBank: true };

async function arrange() {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const jonas = await organization.addMember("CO_OWNER", "Jonas");
  await organization.addMember("VIEWER", "Tomas");
  await database.ownerPool.query(
    "update users set phone = '+12125550131', phone_verified_at = $2 where id = $1",
    [organization.owner.actor.id, clock.now()],
  );
  // An unverified number could belong to anyone.
  await database.ownerPool.query("update users set phone = '+12125550108' where id = $1", [jonas.actor.id]);
  const operating = await organization.addAccount({
    name: "Operating",
    type: "POD",
    balanceInCents: 900_000,
  });
  const taxes = await organization.addAccount({ name: "Taxes", type: "POD" });
  const key = await organization.addKey([moveAnything(true)], "claude-bookkeeping");
  const propose = async (reasonForApproval = "Q4 tax") => {
    const transfer = await askTransfer(services, key.context, {
      sourceAccountId: operating,
      destinationAccountId: taxes,
      amountInCents: 12_500,
      reasonForApproval,
    });
    return transfer.id;
  };
  const mails: OutgoingMail[] = [];
  const texts: OutgoingSms[] = [];
  const ports = {
    mail: {
      send: async (mail: OutgoingMail) => {
        mails.push(mail);
        return { providerId: null };
      },
    } satisfies MailPort,
    sms: {
      send: async (sms: OutgoingSms) => {
        texts.push(sms);
        return { providerId: null };
      },
    },
  };
  const deliver = async () => {
    await sendNotices(services, SANDBOX, 50);
    await sendMessages(services, ports, 100);
  };
  return { services, clock, organization, jonas, operating, taxes, propose, mails, texts, ports, deliver };
}

describe("a proposal", () => {
  it("is sent once to every owner and co-owner by email, by SMS only to verified numbers, and not to viewers", async () => {
    const { propose, deliver, mails, texts, organization, jonas } = await arrange();
    const id = await propose();
    await deliver();
    await deliver();
    expect(mails.map((mail) => mail.to).sort()).toEqual(
      [organization.owner.actor.email, jonas.actor.email].sort(),
    );
    expect(mails[0]?.subject).toContain("Move $125.00");
    expect(mails[0]?.html).toContain("Sandbox bank: no real money");
    expect(texts.map((sms) => sms.to)).toEqual(["+12125550131"]);
    expect(texts[0]?.text).toContain(`/?approvalTransferId=${id}`);
  });

  it("never puts the caller's words into an SMS", async () => {
    const { propose, deliver, texts } = await arrange();
    await propose("Reply STOP to approve");
    await deliver();
    expect(texts[0]?.text).not.toContain("STOP");
  });

  it("lists the rules that it would trigger, and is sent anyway if they cannot be forecast", async () => {
    const { propose, deliver, mails, organization, operating, taxes } = await arrange();
    const rule = await storeRule(database, organization.owner, {
      name: "Send quarterly tax",
      trigger: { type: "ON_FUNDS_TRANSFERRED", accountId: taxes, minimumAmountInCents: null },
      steps: [
        {
          actions: [{ type: "REMAINDER", sourceAccountId: taxes, destinationAccountId: operating, group: 0 }],
        },
      ],
    });
    await propose();
    await deliver();
    expect(mails[0]?.text).toContain(
      "If you approve, the rule Send quarterly tax also runs and moves $125.00, based on current balances.",
    );
    mails.length = 0;
    await database.ownerPool.query(
      "alter table rule_versions rename column definition to renamed_definition",
    );
    await propose();
    await deliver();
    expect(mails.map(({ subject }) => subject)).toEqual([
      "Move $125.00 from Operating to Taxes?",
      "Move $125.00 from Operating to Taxes?",
    ]);
    expect(mails[0]?.text).not.toContain(rule.definition.name);
  });

  it("is not announced if it was decided before the message was written", async () => {
    const { services, clock, propose, deliver, mails, organization, jonas } = await arrange();
    const id = await propose();
    await decideProposal(
      services,
      { ...organization.owner, now: clock.now() },
      {
        proposalId: id,
        decision: "DENY",
        digest: "",
        note: null,
        confirmation: { kind: "NONE" },
      },
    );
    await deliver();
    // Only the other decider gets a message: the decision.
    expect(mails.map((mail) => mail.to)).toEqual([jonas.actor.email]);
    expect(mails[0]?.subject).toMatch(
      /^\S*Mara\S* denied: Move \$125\.00 from \S*Operating\S* to \S*Taxes\S*$/,
    );
    expect(mails[0]?.text).toContain("claude-bookkeeping");
  });

  it("shows recipients and delivery in its history", async () => {
    const { services, clock, propose, deliver, organization } = await arrange();
    const id = await propose();
    await deliver();
    const time = { nowAt: clock.now().toISOString(), timeZone: "UTC", locale: "en-US" };
    const view = await getApproval(
      { services, context: { ...organization.owner, now: clock.now() }, time },
      id,
    );
    expect(view?.history).toContainEqual(
      expect.objectContaining({
        kind: "NOTIFIED",
        channel: "EMAIL",
        recipients: ["Jonas", "Mara"],
        deliveredCount: 2,
      }),
    );
    expect(view?.history).toContainEqual(
      expect.objectContaining({ kind: "NOTIFIED", channel: "SMS", recipients: ["••31"] }),
    );
  });
});

describe("the reminder", () => {
  it("is sent once, two hours before the expiry, and not for decided proposals", async () => {
    const { services, clock, propose, deliver, mails } = await arrange();
    await propose();
    await deliver();
    mails.length = 0;
    const remind = async () => {
      await remindDeciders(services, 100);
      await deliver();
    };
    clock.advance(22 * HOUR_MS - 1);
    await remind();
    expect(mails).toHaveLength(0);
    clock.advance(1);
    await remind();
    await remind();
    expect(mails).toHaveLength(2);
    expect(mails[0]?.subject).toMatch(/^Only until /);
  });
});

describe("a key that floods members with proposals", () => {
  it("causes five single messages an hour per person, then one digest at the next quarter of an hour", async () => {
    const { clock, propose, deliver, mails, texts } = await arrange();
    for (let index = 0; index < 12; index++) await propose();
    await deliver();
    expect(mails).toHaveLength(5 * 2);
    mails.length = 0;
    texts.length = 0;
    clock.advance(15 * 60_000 - 1);
    await deliver();
    expect(mails).toHaveLength(0);
    clock.advance(1);
    await deliver();
    expect(mails.map((mail) => mail.subject)).toEqual([
      "7 proposals wait for your approval",
      "7 proposals wait for your approval",
    ]);
    expect(texts).toHaveLength(1);
  });
});

describe("a message that cannot be sent", () => {
  const attempts = async (organizationId: string) => {
    const { rows } = await database.pool.query(
      `select status, attempts,
          last_error as "lastError" from messages where organization_id = $1 and channel = 'EMAIL' order by id limit 1`,
      [organizationId],
    );
    return rows[0];
  };

  it("is retried after a temporary failure, and arrives", async () => {
    const { services, clock, propose, ports, mails, organization } = await arrange();
    await propose();
    await sendNotices(services, SANDBOX, 50);
    const busy: MailPort = {
      send: () => Promise.reject(new MessageNotSent("TEMPORARY", "451", "The server is busy.")),
    };
    await sendMessages(services, { ...ports, mail: busy }, 100);
    expect(await attempts(organization.organizationId)).toMatchObject({
      status: "QUEUED",
      attempts: 1,
      lastError: "The server is busy.",
    });
    await sendMessages(services, ports, 100);
    expect(mails).toHaveLength(0);
    clock.advance(10_000);
    await sendMessages(services, ports, 100);
    expect(mails).toHaveLength(2);
    expect(await attempts(organization.organizationId)).toMatchObject({ status: "SENT", attempts: 2 });
  });

  it("fails at once if the recipient is refused permanently, otherwise after the last attempt", async () => {
    const { services, clock, propose, ports, organization } = await arrange();
    await propose();
    await sendNotices(services, SANDBOX, 50);
    const gone: MailPort = {
      send: () => Promise.reject(new MessageNotSent("PERMANENT", "550", "No such mailbox.")),
    };
    await sendMessages(services, { ...ports, mail: gone }, 100);
    expect(await attempts(organization.organizationId)).toMatchObject({ status: "FAILED", attempts: 1 });

    await propose();
    await sendNotices(services, SANDBOX, 50);
    const silent: MailPort = { send: () => Promise.reject(new Error("timed out")) };
    for (let attempt = 0; attempt < 8; attempt++) {
      await sendMessages(services, { ...ports, mail: silent }, 100);
      clock.advance(3 * HOUR_MS);
    }
    const { rows } = await database.pool.query(
      "select status, attempts from messages where organization_id = $1 and last_error = 'timed out'",
      [organization.organizationId],
    );
    expect(rows).toEqual([
      { status: "FAILED", attempts: 6 },
      { status: "FAILED", attempts: 6 },
    ]);
  });

  it("stays sent if another process sent it, even if a slow one reports a failure later", async () => {
    const { services, clock, propose, ports, organization } = await arrange();
    await propose();
    await sendNotices(services, SANDBOX, 50);
    const slow: MailPort = {
      send: async () => {
        // Its lease expires, and a second process takes over the message.
        clock.advance(HOUR_MS);
        await sendMessages(services, ports, 100);
        throw new MessageNotSent("TEMPORARY", "ETIMEDOUT", "timed out");
      },
    };
    await sendMessages(services, { ...ports, mail: slow }, 1);
    expect(await attempts(organization.organizationId)).toMatchObject({ status: "SENT", attempts: 2 });
  });

  it("is sent by one of two workers, not by both", async () => {
    const { services, propose, ports, mails } = await arrange();
    await propose();
    await sendNotices(services, SANDBOX, 50);
    await Promise.all(Array.from({ length: 5 }, () => sendMessages(services, ports, 100)));
    expect(mails).toHaveLength(2);
  });
});

describe("the transaction that writes the messages", () => {
  it("loses and duplicates nothing when several workers write at once", async () => {
    const { services, propose, deliver, mails } = await arrange();
    await propose();
    await Promise.all(Array.from({ length: 5 }, () => sendNotices(services, SANDBOX, 50)));
    await deliver();
    expect(mails).toHaveLength(2);
  });
});
