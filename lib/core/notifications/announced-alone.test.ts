/**
 * Goal: what changes where money can go reaches every owner and co-owner by itself, at once, whatever else happens.
 * Method: floods of other notices before and around it, delivered by the real workers to providers that keep everything.
 */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { confirmPayee } from "@/lib/core/payees/decide-payee";
import { importPayees } from "@/lib/core/payees/import-payees";
import { proposePayee } from "@/lib/core/payees/propose-payee";
import { setPayeeCoolOff } from "@/lib/core/payees/set-cool-off";
import { setOutgoingCap } from "@/lib/core/transfers/outgoing-cap";
import { createSandboxBank } from "@/lib/ports/bank/sandbox/create-sandbox-bank";
import { moveAnything } from "@/lib/testing/api";
import { addPayee, changeTimeZone, createConfirmedApiKey, setKeyCap } from "@/lib/testing/as-entered";
import { createTestDatabase, type TestDatabase } from "@/lib/testing/database";
import { arrangeNotices } from "@/lib/testing/notices";
import { createTestServices } from "@/lib/testing/services";

// The workers process all organizations, so each test has its own database.
let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.close());

const MINUTE_MS = 60_000;
const HEADER = "name,kind,email,account holder,account kind,routing number,account number";

async function arrange() {
  const { services, clock } = createTestServices(database);
  const context = await arrangeNotices(database, services);
  const { organization, owner, jonas, mails, texts, verifyPhone } = context;
  await verifyPhone(owner.actor.id, "+14155550101");
  await verifyPhone(jonas.actor.id, "+14155550102");
  const bank = createSandboxBank(database.pool);
  const here = (member = owner) => ({
    ...member,
    now: clock.now(),
    actor: { ...member.actor, authenticatedAt: clock.now() },
  });
  const program = await organization.addKey([{ type: "CREATE_ACCOUNTS" }], "claude");
  const propose = (name: string) =>
    proposePayee(
      services,
      { ...program.context, now: clock.now() },
      { name, kind: "BUSINESS", rail: "ACH" },
      {
        sent: {
          method: "POST",
          path: "/platform/v1/payees",
          idempotencyKey: null,
          calledReason: null,
          body: {},
        },
        auditAction: "PROPOSE_PAYEE",
        status: 201,
        idempotency: null,
      },
    );
  const add = (name: string) =>
    addPayee(services, bank, here(), {
      name,
      kind: "BUSINESS",
      account: {
        holderName: name,
        accountKind: "CHECKING",
        routingNumber: "101050001",
        accountNumber: "987654321",
      },
    });
  const confirm = async (payeeId: string) => {
    const { rows } = await database.pool.query<{ id: string }>(
      "select id from payee_details where payee_id = $1 and state = 'WAITING'",
      [payeeId],
    );
    await confirmPayee(services, here(), { payeeId, detailsId: rows[0]?.id ?? "", callBackNote: "Ana" });
  };
  const importLines = (...lines: string[]) =>
    importPayees(services, bank, here(), [HEADER, ...lines].join("\n"));
  const forget = () => {
    mails.length = 0;
    texts.length = 0;
  };
  return { ...context, services, clock, here, propose, add, confirm, importLines, forget };
}

describe("a confirmed payee", () => {
  it("is announced at once and by itself in the middle of a flood of proposals", async () => {
    const { propose, add, confirm, deliver, forget, mails, texts, deciders } = await arrange();
    const id = await add("Harbor Print Shop");
    for (let index = 0; index < 12; index += 1) await propose(`Decoy ${index}`);
    await deliver();
    forget();
    await confirm(id);
    for (let index = 12; index < 24; index += 1) await propose(`Decoy ${index}`);
    await deliver();
    const announced = mails.filter(({ subject }) => subject === "Mara confirmed the payee Harbor Print Shop");
    expect(announced.map(({ to }) => to).sort()).toEqual(deciders);
    expect(announced[0]?.text).toContain("The account ends in 4321.");
    expect(texts.filter(({ text }) => text.includes("a payee was confirmed and can be paid"))).toHaveLength(
      2,
    );
  });

  it("is listed first where the previous version had queued it for a digest", async () => {
    const { add, confirm, propose, deliver, clock, forget, mails } = await arrange();
    const id = await add("Harbor Print Shop");
    for (let index = 0; index < 20; index += 1) await propose(`Decoy ${index}`);
    await confirm(id);
    await database.ownerPool.query(
      "update notices set api_key_id = organization_id where kind = 'PAYEE_CHANGED'",
    );
    await deliver();
    clock.advance(15 * MINUTE_MS);
    forget();
    await deliver();
    const [digest] = mails.filter(({ subject }) => subject.endsWith("more changes of payees"));
    expect(digest?.text).toContain("- Mara confirmed the payee Harbor Print Shop\n- claude proposed");
  });

  it("comes first in a digest: new accounts are listed above waiting proposals", async () => {
    const { add, propose, deliver, clock, forget, mails } = await arrange();
    for (let index = 0; index < 20; index += 1) await propose(`Decoy ${index}`);
    await add("Harbor Print Shop");
    await deliver();
    clock.advance(15 * MINUTE_MS);
    forget();
    await deliver();
    expect(mails[0]?.subject).toBe("16 more changes of payees");
    expect(mails[0]?.text).toContain("- Mara added the payee Harbor Print Shop\n- claude proposed");
  });
});

describe("new keys", () => {
  it("are announced one by one, however many there are", async () => {
    const { services, here, deliver, mails, texts, recipients, deciders } = await arrange();
    for (let index = 0; index < 8; index += 1) {
      const permissions = [moveAnything(false)];
      await createConfirmedApiKey(services, here(), {
        name: `bot-${index}`,
        permissions,
        dailyCapInCents: null,
      });
    }
    await deliver();
    const subjects = new Set(mails.map(({ subject }) => subject));
    expect([...subjects].sort()).toEqual(
      Array.from({ length: 8 }, (_, index) => `Mara made the API key bot-${index}`),
    );
    expect(recipients()).toEqual(
      [...deciders, ...deciders, ...deciders, ...deciders].flatMap((to) => [to, to]).sort(),
    );
    expect(texts).toEqual([]);
  });
});

describe("a loosened guard", () => {
  it("is announced by email and SMS: the time zone, a key's cap, the cool-off, the cap on money out", async () => {
    const { services, organization, here, deliver, mails, texts, deciders } = await arrange();
    const key = await organization.addKey([moveAnything(false)], "ops", 1_000);
    await changeTimeZone(services, here(), { timeZone: "Pacific/Kiritimati" });
    await changeTimeZone(services, here(), { timeZone: "Pacific/Kiritimati" });
    await setKeyCap(services, here(), { keyId: key.id, dailyCapInCents: 50_000 });
    await setPayeeCoolOff(services, here(), { aboveInCents: 900_000, hours: 1 });
    await setOutgoingCap(services, here(), { capInCents: null });
    await deliver();
    for (const subject of [
      "Mara changed the time zone from America/New_York to Pacific/Kiritimati",
      "Mara raised the daily cap of the key ops from $10.00 to $500.00",
      "Mara changed the cool-off of payees from 24 hours above $500.00 to 1 hour above $9,000.00",
      "Mara lifted the cap on money out",
    ]) {
      const sent = mails.filter((mail) => mail.subject === subject);
      expect(sent.map(({ to }) => to).sort(), subject).toEqual(deciders);
    }
    expect(mails).toHaveLength(8);
    expect(texts).toHaveLength(8);
  });

  it("is not announced when it is tightened", async () => {
    const { services, organization, here, deliver, mails } = await arrange();
    const key = await organization.addKey([moveAnything(false)], "ops", 1_000);
    await setKeyCap(services, here(), { keyId: key.id, dailyCapInCents: 100 });
    await setPayeeCoolOff(services, here(), { aboveInCents: 100, hours: 48 });
    await deliver();
    expect(mails).toEqual([]);
  });
});

describe("an import", () => {
  it("sends one email and one SMS to each, naming all of its payees", async () => {
    const { importLines, deliver, mails, texts, recipients, deciders } = await arrange();
    await importLines(
      "Cedar Hosting,BUSINESS,,Cedar Hosting Inc,CHECKING,101050001,55556666",
      "Ana Ruiz,INDIVIDUAL,,,,,",
      "Bad,BUSINESS,,Bad,CHECKING,123456789,1234567890",
    );
    await deliver();
    expect(recipients()).toEqual(deciders);
    expect(mails[0]?.subject).toBe("Mara imported 2 payees");
    expect(mails[0]?.text).toContain(
      "- Cedar Hosting, account ending in 6666\n- Ana Ruiz, without an account",
    );
    expect(texts).toHaveLength(2);
    expect(texts[0]?.text).toContain("2 payees were imported");
  });

  it("that ends in the middle is announced too", async () => {
    const { services, add, clock, deliver, mails, recipients, deciders, here, forget } = await arrange();
    const bank = createSandboxBank(database.pool);
    await add("Earlier");
    await deliver();
    forget();
    const breaking: typeof bank = {
      ...bank,
      registerOutsideAccount: (input) =>
        input.holderName === "Stop"
          ? Promise.reject(new Error("killed"))
          : bank.registerOutsideAccount(input),
    };
    const file = [
      HEADER,
      "Cedar Hosting,BUSINESS,,Cedar Hosting Inc,CHECKING,101050001,55556666",
      "Stop,BUSINESS,,Stop,CHECKING,101050001,55556667",
    ].join("\n");
    await expect(importPayees(services, breaking, here(), file)).rejects.toThrow("killed");
    await deliver();
    expect(mails).toEqual([]);
    clock.advance(15 * MINUTE_MS);
    await deliver();
    expect(recipients()).toEqual(deciders);
    expect(mails[0]?.subject).toBe("Mara imported 1 payee");
  });

  it("that adds nothing is not announced", async () => {
    const { importLines, deliver, mails } = await arrange();
    await importLines("Bad,BUSINESS,,Bad,CHECKING,123456789,1234567890");
    await deliver();
    expect(mails).toEqual([]);
  });
});
