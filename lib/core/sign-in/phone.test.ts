import pino from "pino";
import { beforeEach, describe, expect, it } from "vitest";
import type { MemberRole } from "@/lib/contract/members";
import { sendMessages } from "@/lib/core/notifications/send-messages";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { removePhone, sendPhoneCode, verifyPhone } from "@/lib/core/sign-in/change-phone";
import { NotConfirmed } from "@/lib/core/sign-in/not-confirmed";
import { PHONE_CODE_LIFETIME_MS } from "@/lib/core/sign-in/phone-code";
import { forgetExpired } from "@/lib/core/work/forget-expired";
import { MessageNotSent } from "@/lib/ports/messages/message-ports";
import { setPhone } from "@/lib/testing/as-entered";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const database = useTestDatabase();
let nextNumber = 2_125_550_000;
let phone: string;
beforeEach(async () => {
  // The sender processes every message, and the tests share one network.
  await database.ownerPool.query("delete from messages");
  await database.ownerPool.query("delete from throttles");
  nextNumber += 2;
  phone = `+1${nextNumber}`;
});

async function arrange(role: MemberRole = "OWNER") {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const member = role === "OWNER" ? organization.owner : await organization.addMember(role, "Tomas");
  const context = (of: Context<MemberActor> = member) => ({ ...of, now: clock.now() });
  const texts: { to: string; text: string }[] = [];
  const mails: { to: string; subject: string; text: string }[] = [];
  const ports = {
    sms: {
      send: async (sms: { to: string; text: string }) => {
        texts.push(sms);
        return { providerId: null };
      },
    },
    mail: {
      send: async (mail: { to: string; subject: string; text: string }) => {
        mails.push(mail);
        return { providerId: null };
      },
    },
  };
  const send = () => sendMessages(services, ports, 100);
  const set = (number = phone, of?: Context<MemberActor>) =>
    setPhone(services, context(of), { phone: number }, null);
  const again = (network: string | null = null) => sendPhoneCode(services, context(), network);
  const enter = (code: string, of?: Context<MemberActor>) => verifyPhone(services, context(of), { code });
  const remove = () => removePhone(services, context());
  /** The code of the newest SMS, as its reader sees it. */
  const code = async () => {
    await send();
    return /^Sluice: ([0-9]{6}) /.exec(texts.at(-1)?.text ?? "")?.[1] ?? "";
  };
  const verify = async (number = phone) => {
    await set(number);
    await enter(await code());
    await send();
    texts.length = 0;
    mails.length = 0;
  };
  const own = async (userId = member.actor.id) => {
    const { rows } = await database.pool.query<{ phone: string | null; isVerified: boolean }>(
      `select phone, phone_verified_at is not null as "isVerified" from users where id = $1`,
      [userId],
    );
    return rows[0];
  };
  return {
    services,
    clock,
    organization,
    member,
    texts,
    mails,
    ports,
    send,
    set,
    again,
    enter,
    remove,
    code,
    verify,
    own,
  };
}

const other = () => `+1${nextNumber + 1}`;
const wrongOf = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, "0");

describe("a number", () => {
  it.each(["OWNER", "CO_OWNER", "ACCOUNTANT", "VIEWER"] as const)(
    "can be added, verified and removed by a member with the role %s",
    async (role) => {
      const { set, enter, code, own, remove, organization, member } = await arrange(role);
      await set(`+1 ${phone.slice(2, 5)}-${phone.slice(5)}`);
      expect(await own()).toEqual({ phone, isVerified: false });
      await enter(await code());
      expect(await own()).toEqual({ phone, isVerified: true });
      await remove();
      expect(await own()).toEqual({ phone: null, isVerified: false });
      if (role !== "OWNER") expect(member.actor.id).not.toBe(organization.owner.actor.id);
    },
  );

  it("of one member cannot be touched by another, here or in another organization", async () => {
    const { services, verify, own, member, organization } = await arrange();
    await verify();
    const elsewhere = await createTestOrganization(database, services, "Elsewhere");
    for (const stranger of [elsewhere.owner, await organization.addMember("CO_OWNER", "Jonas")]) {
      await expect(removePhone(services, stranger)).rejects.toMatchObject({ code: "INVALID_PARAMETERS" });
      await setPhone(services, stranger, { phone: other() }, null);
    }
    expect(await own(member.actor.id)).toEqual({ phone, isVerified: true });
  });

  it("is shared by all organizations of a person", async () => {
    const { services, verify, own, member, remove } = await arrange();
    const elsewhere = await createTestOrganization(database, services, "Elsewhere");
    await verify();
    await removePhone(services, { ...member, organizationId: elsewhere.organizationId });
    expect(await own()).toEqual({ phone: null, isVerified: false });
    await expect(remove()).rejects.toMatchObject({ code: "INVALID_PARAMETERS" });
  });

  it.each([
    "12125550131",
    "+0125550131",
    "+12 555",
    "+1212555013112345",
    "+1(212)5550131",
    "+1212555013x",
    "",
  ])("is not %j", async (typed) => {
    const { set, own, texts, send } = await arrange();
    await expect(set(typed)).rejects.toMatchObject({ code: "INVALID_PARAMETERS" });
    await send();
    expect(texts).toEqual([]);
    expect(await own()).toEqual({ phone: null, isVerified: false });
  });
});

describe("the SMS with a code", () => {
  it("is one segment of plain text to the new number, with a warning never to share it", async () => {
    const { set, send, texts } = await arrange();
    await set();
    await send();
    expect(texts).toEqual([
      {
        to: phone,
        text: expect.stringMatching(
          /^Sluice: [0-9]{6} verifies this number\. It is valid for 10 minutes\. Sluice never asks you for it\.$/,
        ),
      },
    ]);
    expect(texts[0]?.text.length).toBeLessThanOrEqual(160);
  });

  it("leaves no code in the database once sent", async () => {
    const { set, code } = await arrange();
    await set();
    const sent = await code();
    const { rows } = await database.ownerPool.query(
      "select (select string_agg(m::text, '') from messages m) || (select string_agg(c::text, '') from phone_codes c) as kept",
    );
    expect(sent).toMatch(/^[0-9]{6}$/);
    expect(rows[0]?.kept).not.toContain(sent);
  });

  it("is neither sent nor kept once it is too late: an expired code is never sent", async () => {
    const { services, clock, set, send, texts } = await arrange();
    await set();
    const silent = () => Promise.reject(new MessageNotSent("TEMPORARY", "503", "Busy."));
    const broken = { sms: { send: silent }, mail: { send: silent } };
    await sendMessages(services, broken, 100);
    const { rows: waiting } = await database.ownerPool.query(
      `select status, body_text as "bodyText" from messages`,
    );
    expect(waiting).toEqual([{ status: "QUEUED", bodyText: expect.stringContaining("Sluice: ") }]);
    clock.advance(PHONE_CODE_LIFETIME_MS);
    await send();
    const { rows } =
      await database.ownerPool.query(`select status, body_text as "bodyText", last_error as "lastError"
  from messages`);
    expect(texts).toEqual([]);
    expect(rows).toEqual([{ status: "FAILED", bodyText: "", lastError: "It was too late to send it." }]);
  });

  it("is not in the server's log when it cannot be sent", async () => {
    const { services, set } = await arrange();
    await set();
    const { rows } = await database.ownerPool.query<{ bodyText: string }>(`select body_text as "bodyText"
  from messages`);
    const code = /[0-9]{6}/.exec(rows[0]?.bodyText ?? "")?.[0] ?? "no code";
    const lines: string[] = [];
    const log = pino({ level: "trace" }, { write: (line: string) => lines.push(line) });
    const refuse = () =>
      Promise.reject(new MessageNotSent("PERMANENT", "21211", `${phone} is not a phone number.`));
    await sendMessages({ ...services, log }, { sms: { send: refuse }, mail: { send: refuse } }, 100);
    expect(lines.join("")).toContain("message not sent");
    expect(lines.join("")).not.toContain(code);
    expect(lines.join("")).not.toContain(phone);
  });

  it("fails when another one replaces it", async () => {
    const { set, again, send, texts } = await arrange();
    await set();
    await again();
    await send();
    expect(texts).toHaveLength(1);
    const { rows } = await database.ownerPool.query(`select status, body_text as "bodyText" from messages
  order by status`);
    expect(rows).toEqual([
      { status: "FAILED", bodyText: "" },
      { status: "SENT", bodyText: "" },
    ]);
  });

  it("that was replaced while being sent is not sent again without its text", async () => {
    const { services, clock, set, again, texts, send } = await arrange();
    await set();
    const replaceMeanwhile = async () => {
      await again();
      throw new MessageNotSent("TEMPORARY", "503", "Busy.");
    };
    await sendMessages(services, { sms: { send: replaceMeanwhile }, mail: { send: replaceMeanwhile } }, 1);
    clock.advance(MINUTE_MS);
    await send();
    await send();
    expect(texts).toEqual([{ to: phone, text: expect.stringMatching(/^Sluice: [0-9]{6} /) }]);
  });
});

describe("a code", () => {
  it("may be typed with spaces, as some phones show it", async () => {
    const { set, code, enter, own } = await arrange();
    await set();
    const sent = await code();
    await enter(` ${sent.slice(0, 3)} ${sent.slice(3)}`);
    expect(await own()).toMatchObject({ isVerified: true });
  });

  it("works until ten minutes have passed", async () => {
    const { services, clock, set, code, enter, own } = await arrange();
    await set();
    const sent = await code();
    clock.advance(PHONE_CODE_LIFETIME_MS);
    await expect(enter(sent)).rejects.toMatchObject({ code: "INVALID_PARAMETERS" });
    expect(await own()).toMatchObject({ isVerified: false });
    await forgetExpired(services, 100);
    expect(
      (await database.ownerPool.query("select 1 from phone_codes where phone = $1", [phone])).rows,
    ).toEqual([]);
  });

  it("works once, even in many concurrent tries", async () => {
    const { set, code, enter, mails, send } = await arrange();
    await set();
    const sent = await code();
    const entered = await Promise.allSettled(Array.from({ length: 4 }, () => enter(sent)));
    expect(entered.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await expect(enter(sent)).rejects.toMatchObject({ code: "INVALID_PARAMETERS" });
    await send();
    expect(mails).toHaveLength(1);
  });

  it("is invalid after five wrong tries, however many are concurrent", async () => {
    const { set, code, enter, own } = await arrange();
    await set();
    const sent = await code();
    const tries = await Promise.allSettled(Array.from({ length: 12 }, () => enter(wrongOf(sent))));
    const stated = tries.map((one) => (one.status === "rejected" ? String(one.reason.message) : "let in"));
    expect(stated.filter((message) => message.startsWith("That code is not right"))).toHaveLength(5);
    expect(stated.filter((message) => message.startsWith("This code is no longer valid"))).toHaveLength(7);
    await expect(enter(sent)).rejects.toThrow("This code is no longer valid");
    expect(await own()).toMatchObject({ isVerified: false });
  });

  it("still works after four wrong ones, and says how many are left", async () => {
    const { set, code, enter, own } = await arrange();
    await set();
    const sent = await code();
    for (const left of ["4 tries", "3 tries", "2 tries", "1 try"])
      await expect(enter(wrongOf(sent))).rejects.toThrow(`That code is not right. ${left} left.`);
    await enter(sent);
    expect(await own()).toMatchObject({ isVerified: true });
  });

  it("of one member verifies nothing for another with the same number pending", async () => {
    const { organization, set, code, enter, own } = await arrange();
    const jonas = await organization.addMember("CO_OWNER", "Jonas");
    await set();
    const sent = await code();
    await set(phone, jonas);
    await expect(enter(sent, jonas)).rejects.toThrow("That code is not right");
    expect(await own(jonas.actor.id)).toMatchObject({ isVerified: false });
  });

  it("for one number verifies no other, and none after its number was removed", async () => {
    const { set, code, enter, remove, own } = await arrange();
    await set();
    const sent = await code();
    await set(other());
    await expect(enter(sent)).rejects.toThrow("That code is not right");
    await remove();
    await expect(enter(sent)).rejects.toThrow("This code is no longer valid");
    expect(await own()).toEqual({ phone: null, isVerified: false });
  });

  it("is not sent for a verified number, or without a number", async () => {
    const { again, verify, set } = await arrange();
    await expect(again()).rejects.toMatchObject({ code: "INVALID_PARAMETERS" });
    await verify();
    await expect(again()).rejects.toMatchObject({ code: "INVALID_PARAMETERS" });
    await expect(set()).rejects.toThrow("This number is already verified.");
  });
});

describe("requesting codes", () => {
  it("stops after three an hour to one number, across members", async () => {
    const { organization, clock, set, again, texts, send } = await arrange();
    const jonas = await organization.addMember("CO_OWNER", "Jonas");
    await set();
    await again();
    await set(phone, jonas);
    await expect(again()).rejects.toMatchObject({ code: "RATE_LIMIT_EXCEEDED" });
    await expect(set(phone, jonas)).rejects.toMatchObject({ code: "RATE_LIMIT_EXCEEDED" });
    clock.advance(HOUR_MS);
    await again();
    await send();
    expect(texts.length).toBeGreaterThan(0);
  });

  it("stops after five a day for one member, across numbers and even concurrently", async () => {
    const { clock, set, again } = await arrange();
    const asked = await Promise.allSettled(
      Array.from({ length: 9 }, (_, index) => set(`+44${nextNumber}${index}`)),
    );
    expect(asked.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
    clock.advance(23 * HOUR_MS);
    await expect(again()).rejects.toMatchObject({ code: "RATE_LIMIT_EXCEEDED" });
    clock.advance(HOUR_MS);
    await again();
  });

  it("stops after twenty an hour from one network", async () => {
    const { clock, set, again } = await arrange();
    await set();
    await database.ownerPool.query("insert into throttles values ('texting:203.0.113.9', $1, 20)", [
      clock.now(),
    ]);
    await expect(again("203.0.113.9")).rejects.toMatchObject({ code: "RATE_LIMIT_EXCEEDED" });
    await again("203.0.113.10");
  });

  it("too often for one number does not use up the member's daily limit", async () => {
    const { set, again } = await arrange();
    await set();
    await again();
    await again();
    for (let index = 0; index < 4; index++)
      await expect(again()).rejects.toMatchObject({ code: "RATE_LIMIT_EXCEEDED" });
    await set(other());
  });
});

describe("a verified number", () => {
  it("is neither changed nor removed from a browser without recent step-up", async () => {
    const { clock, verify, set, remove, own, texts, mails, send } = await arrange();
    await verify();
    clock.advance(5 * MINUTE_MS);
    await expect(set(other())).rejects.toThrow(NotConfirmed);
    await expect(remove()).rejects.toThrow(NotConfirmed);
    await send();
    expect(await own()).toEqual({ phone, isVerified: true });
    expect({ texts, mails }).toEqual({ texts: [], mails: [] });
  });

  it("gets nothing once it was changed, nor does the new one until it is verified", async () => {
    const { verify, set, own } = await arrange();
    await verify();
    await set(other());
    expect(await own()).toEqual({ phone: other(), isVerified: false });
  });

  it.each(["changed", "removed"] as const)(
    "that is %s is notified, and its member by email",
    async (what) => {
      const { verify, set, remove, send, texts, mails, member } = await arrange();
      await verify();
      if (what === "changed") await set(other());
      else await remove();
      await send();
      expect(mails).toEqual([
        expect.objectContaining({
          to: member.actor.email,
          subject: `Your phone number was ${what}`,
          text: expect.stringContaining("If this was not you"),
        }),
      ]);
      expect(mails[0]?.text).not.toContain(other());
      expect(mails[0]?.text).not.toContain(phone);
      expect(texts.filter(({ to }) => to === phone)).toEqual([
        { to: phone, text: expect.stringMatching(/^[ -~]{1,160}$/) },
      ]);
    },
  );

  it("that was not verified yet is removed without confirmation, and no one is notified", async () => {
    const { clock, set, remove, mails, send } = await arrange();
    await set();
    clock.advance(5 * MINUTE_MS);
    await set(other());
    await remove();
    await send();
    expect(mails).toEqual([]);
  });
});
