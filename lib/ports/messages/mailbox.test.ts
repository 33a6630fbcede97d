import { beforeEach, describe, expect, test } from "vitest";
import { createMail, createMailboxMail } from "@/lib/ports/messages/create-mail";
import { createMailboxSms, createSms } from "@/lib/ports/messages/create-sms";
import { listMailbox, MAILBOX_CAPACITY, storeMessage } from "@/lib/ports/messages/mailbox";
import { createTestDatabase, useTestDatabase } from "@/lib/testing/database";
import { TestClock } from "@/lib/testing/services";

const database = useTestDatabase();
let clock: TestClock;

beforeEach(async () => {
  clock = new TestClock();
  await database.pool.query("delete from mailbox_messages");
});

const mail = {
  to: "mara@northwind.example",
  subject: "Move $4,250.00?",
  text: "text part",
  html: "<p>html part</p>",
  messageId: "one",
};
const sms = { to: "+12125550131", text: "Sluice: $4,250.00 waits" };

/** Fills the table by hand, the oldest first, up to one minute before the clock. */
async function fill(count: number): Promise<void> {
  await database.ownerPool.query(
    `insert into mailbox_messages (id, channel, recipient, text, created_at)
     select gen_random_uuid(), 'SMS', n::text, 'old', $2::timestamptz - ($1 - n + 1) * interval '1 minute'
       from generate_series(1, $1::int) as n`,
    [count, clock.now()],
  );
}

describe("the mailbox", () => {
  test("shows email and SMS as they were sent, newest first", async () => {
    const sentMail = await createMailboxMail(database.pool, clock).send(mail);
    const mailedAt = clock.now();
    clock.advance(1_000);
    const sentSms = await createMailboxSms(database.pool, clock).send(sms);
    expect(await listMailbox(database.pool, 10)).toEqual([
      {
        id: sentSms.providerId,
        channel: "SMS",
        recipient: sms.to,
        subject: null,
        text: sms.text,
        html: null,
        createdAt: clock.now(),
      },
      {
        id: sentMail.providerId,
        channel: "EMAIL",
        recipient: mail.to,
        subject: mail.subject,
        text: mail.text,
        html: mail.html,
        createdAt: mailedAt,
      },
    ]);
  });

  test("keeps the newest 500 and drops the oldest", async () => {
    await fill(MAILBOX_CAPACITY + 30);
    await createMailboxSms(database.pool, clock).send(sms);
    const kept = await listMailbox(database.pool, MAILBOX_CAPACITY);
    const { rows } = await database.ownerPool.query("select count(*)::int as count from mailbox_messages");
    expect(rows).toEqual([{ count: MAILBOX_CAPACITY }]);
    expect(kept[0]?.text).toBe(sms.text);
    expect(kept.at(-1)?.recipient).toBe("32");
  });

  test("drops nothing while there is room", async () => {
    await fill(MAILBOX_CAPACITY - 1);
    await createMailboxSms(database.pool, clock).send(sms);
    expect((await listMailbox(database.pool, MAILBOX_CAPACITY)).at(-1)?.recipient).toBe("1");
  });

  test("takes many at once when it is full", async () => {
    await fill(MAILBOX_CAPACITY);
    const port = createMailboxSms(database.pool, clock);
    await Promise.all(Array.from({ length: 20 }, () => port.send(sms)));
    const kept = await listMailbox(database.pool, MAILBOX_CAPACITY);
    expect(kept.filter((message) => message.text === sms.text)).toHaveLength(20);
    await port.send(sms);
    const { rows } = await database.ownerPool.query("select count(*)::int as count from mailbox_messages");
    expect(rows).toEqual([{ count: MAILBOX_CAPACITY }]);
  });

  test.each([0, -1, 1.5, MAILBOX_CAPACITY + 1])("a list of %d messages is refused", async (limit) => {
    await expect(listMailbox(database.pool, limit)).rejects.toThrow(RangeError);
  });

  test("an SMS cannot carry a subject or HTML", async () => {
    const wrong = { channel: "SMS", recipient: sms.to, subject: "x", text: "x", html: null } as const;
    await expect(storeMessage(database.pool, wrong, clock.now())).rejects.toMatchObject({ code: "23514" });
  });

  test("that cannot be written fails temporarily", async () => {
    const gone = await createTestDatabase();
    await gone.close();
    const expected = { kind: "TEMPORARY", code: "MAILBOX" };
    await expect(createMailboxMail(gone.pool, clock).send(mail)).rejects.toMatchObject(expected);
    await expect(createMailboxSms(gone.pool, clock).send(sms)).rejects.toMatchObject(expected);
  });
});

describe("the operator's configuration", () => {
  const nothing = { smtpUrl: null, mailFrom: "Sluice <sluice@localhost>", mailbox: false, twilio: null };
  // Port 1 has no server: the attempt shows which adapter was chosen.
  const smtp = { ...nothing, mailbox: true, smtpUrl: "smtp://127.0.0.1:1" };

  test("a mail server takes precedence over the mailbox", async () => {
    await expect(createMail(smtp, database.pool, clock).send(mail)).rejects.toMatchObject({
      kind: "TEMPORARY",
    });
    expect(await listMailbox(database.pool, 1)).toEqual([]);
  });

  test("without providers, messages stop in the mailbox on this machine", async () => {
    await createMail({ ...nothing, mailbox: true }, database.pool, clock).send(mail);
    await createSms({ ...nothing, mailbox: true }, database.pool, clock).send(sms);
    expect((await listMailbox(database.pool, 10)).map(({ channel }) => channel).toSorted()).toEqual([
      "EMAIL",
      "SMS",
    ]);
  });

  test("without a mailbox either, they fail for good", async () => {
    const expected = { kind: "PERMANENT", code: "UNCONFIGURED" };
    await expect(createMail(nothing, database.pool, clock).send(mail)).rejects.toMatchObject(expected);
    await expect(createSms(nothing, database.pool, clock).send(sms)).rejects.toMatchObject(expected);
  });
});
