import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { sendMessages } from "@/lib/core/notifications/send-messages";
import { finishSignUp, verifySignUp } from "@/lib/core/organizations/finish-sign-up";
import { beginSignUp, resendSignUpCode } from "@/lib/core/sign-in/begin-sign-up";
import { readSession } from "@/lib/core/sign-in/read-session";
import { signInWithPassword } from "@/lib/core/sign-in/sign-in-with-password";
import { findSignUp, SIGN_UP_CODE_LIFETIME_MS, SIGN_UP_LIFETIME_MS } from "@/lib/core/sign-in/sign-up";
import { createMailboxMail } from "@/lib/ports/messages/create-mail";
import { createMailboxSms } from "@/lib/ports/messages/create-sms";
import { listMailbox } from "@/lib/ports/messages/mailbox";
import { openTestDatabase, type TestDatabase, useTestDatabase } from "@/lib/testing/database";
import { makeOrganization, testBrowser, testServices } from "@/lib/testing/members";

const shared = useTestDatabase();
let database: Readonly<TestDatabase>;
let services: ReturnType<typeof testServices>;
beforeEach(() => {
  database = shared;
  services = testServices(database);
});

const OPEN = { policy: "OPEN" as const, isSandboxBank: true };
const FIRST = { policy: "FIRST_OWNER" as const, isSandboxBank: true };
const PASSWORD = "a password of her own";
const ORGANIZATION = { kind: "BUSINESS", name: "Northwind Studio LLC", timeZone: "America/New_York" };
const freshEmail = () => `${randomUUID()}@example.com`;
const network = () => testBrowser().networkAddress;

async function newestMail(email: string): Promise<{ kind: string; bodyText: string; status: string }> {
  const { rows } = await database.ownerPool.query<{ kind: string; bodyText: string; status: string }>(
    `select kind, body_text as "bodyText", status from person_messages where recipient = $1 order by id desc limit 1`,
    [email],
  );
  const [mail] = rows;
  if (!mail) throw new Error("No email was queued.");
  return mail;
}

async function codeTo(email: string): Promise<string> {
  return /^\d{6}$/m.exec((await newestMail(email)).bodyText)?.[0] ?? "none";
}

const wrongCode = (code: string) => (code === "000000" ? "000001" : "000000");

async function begin(email = freshEmail(), setting: Parameters<typeof beginSignUp>[3] = OPEN) {
  const begun = await beginSignUp(
    services,
    { name: "Mara Okafor", email, password: PASSWORD },
    network(),
    setting,
  );
  if (begun.kind !== "BEGUN") throw new Error(begun.kind);
  return { email, token: begun.token };
}

async function prove(setting: Parameters<typeof beginSignUp>[3] = OPEN, email = freshEmail()) {
  const begun = await begin(email, setting);
  const verified = await verifySignUp(services, begun.token, await codeTo(email), network());
  expect(verified).toEqual({ kind: "VERIFIED" });
  return begun;
}

describe("the first sign-up of a server", () => {
  it("succeeds for one of many concurrent sign-ups, and closes sign-up", async () => {
    database = await openTestDatabase();
    services = testServices(database);
    const rivals = await Promise.all(Array.from({ length: 4 }, () => prove(FIRST)));
    const outcomes = await Promise.all(
      rivals.map(({ token }) => finishSignUp(services, token, ORGANIZATION, testBrowser(), "FIRST_OWNER")),
    );
    const late = await beginSignUp(
      services,
      { name: "Late Comer", email: freshEmail(), password: PASSWORD },
      network(),
      FIRST,
    );
    const { rows } = await database.ownerPool.query(
      "select (select count(*)::int from organizations) as organizations, (select count(*)::int from users) as users",
    );
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(["CLOSED", "CLOSED", "CLOSED", "SIGNED_IN"]);
    expect(late).toEqual({ kind: "CLOSED" });
    expect(rows).toEqual([{ organizations: 1, users: 1 }]);
  });
});

describe("signing up", () => {
  it("creates organization, owner and session for the person who entered the code, and requires the identity check", async () => {
    const { token, email } = await prove();
    const outcome = await finishSignUp(services, token, ORGANIZATION, testBrowser(), "OPEN");
    if (outcome.kind !== "SIGNED_IN") throw new Error(outcome.kind);
    const session = await readSession(services, outcome.sessionId);
    expect(session).toMatchObject({
      actor: { email, role: "OWNER", name: "Mara Okafor" },
      organization: { name: ORGANIZATION.name, timeZone: ORGANIZATION.timeZone },
      isOnboarding: true,
    });
    expect((await signInWithPassword(services, { email, password: PASSWORD }, testBrowser())).kind).toBe(
      "SIGNED_IN",
    );
    // Consumed: this browser's cookie creates no second one.
    expect((await finishSignUp(services, token, ORGANIZATION, testBrowser(), "OPEN")).kind).toBe("OVER");
  });

  it("creates no user before the code was entered", async () => {
    const { token, email } = await begin();
    expect(await findSignUp(services, token)).toMatchObject({ email, isVerified: false });
    expect((await finishSignUp(services, token, ORGANIZATION, testBrowser(), "OPEN")).kind).toBe("OVER");
    expect((await signInWithPassword(services, { email, password: PASSWORD }, testBrowser())).kind).toBe(
      "FAILED",
    );
  });

  it("gives a known address the same response as any other; only the email differs", async () => {
    const { ownerEmail } = await makeOrganization(services);
    const known = await begin(ownerEmail.toUpperCase());
    const unknown = await begin();
    expect(await findSignUp(services, known.token)).toEqual({
      ...(await findSignUp(services, unknown.token)),
      email: ownerEmail,
    });
    expect((await newestMail(ownerEmail)).kind).toBe("SIGN_UP_KNOWN");
    expect((await newestMail(ownerEmail)).bodyText).not.toMatch(/^\d{6}$/m);
    const tries = await Promise.all(
      [known, unknown].map(({ token }) => verifySignUp(services, token, "12", network())),
    );
    expect(tries[0]).toEqual(tries[1]);
    const resent = await Promise.all(
      [known, unknown].map(({ token }) => resendSignUpCode(services, token, network(), OPEN)),
    );
    expect(resent).toEqual([{ kind: "SENT" }, { kind: "SENT" }]);
    expect((await newestMail(ownerEmail)).kind).toBe("SIGN_UP_KNOWN");
  });

  it("checks five of any number of concurrent tries, and then not even the right code", async () => {
    const { token, email } = await begin();
    const code = await codeTo(email);
    const tries = await Promise.all(
      Array.from({ length: 12 }, () => verifySignUp(services, token, wrongCode(code), network())),
    );
    expect(tries.filter(({ kind }) => kind === "WRONG")).toHaveLength(5);
    expect(await verifySignUp(services, token, code, network())).toEqual({ kind: "OVER" });
  });

  it("accepts a code for ten minutes, and only the last one sent", async () => {
    const { token, email } = await begin();
    const first = await codeTo(email);
    expect((await resendSignUpCode(services, token, network(), OPEN)).kind).toBe("SENT");
    const second = await codeTo(email);
    if (first !== second) {
      expect((await verifySignUp(services, token, first, network())).kind).toBe("WRONG");
    }
    services.clock.advance(SIGN_UP_CODE_LIFETIME_MS);
    expect((await verifySignUp(services, token, second, network())).kind).toBe("OVER");
  });

  it("sends five emails an hour to one address, from any network", async () => {
    const email = freshEmail();
    for (let count = 0; count < 5; count += 1) await begin(email);
    const sixth = await beginSignUp(services, { name: "Mara", email, password: PASSWORD }, network(), OPEN);
    expect(sixth.kind).toBe("THROTTLED");
  });

  it("ends a day after it was started, verified or not", async () => {
    const { token } = await prove();
    services.clock.advance(SIGN_UP_LIFETIME_MS);
    expect(await findSignUp(services, token)).toBeNull();
    expect((await finishSignUp(services, token, ORGANIZATION, testBrowser(), "OPEN")).kind).toBe("OVER");
  });

  it("creates one account from two sign-ups with one address", async () => {
    const email = freshEmail();
    const both = [await prove(OPEN, email), await prove(OPEN, email)];
    const outcomes = await Promise.all(
      both.map(({ token }) => finishSignUp(services, token, ORGANIZATION, testBrowser(), "OPEN")),
    );
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(["KNOWN", "SIGNED_IN"]);
  });

  it("says what is wrong with each field, and then sends nothing", async () => {
    const email = "no address";
    const outcome = await beginSignUp(services, { name: " ", email, password: "short" }, network(), OPEN);
    if (outcome.kind !== "INVALID") throw new Error(outcome.kind);
    expect(outcome.details.map(({ field }) => field).sort()).toEqual(["email", "name", "password"]);
  });

  it("sends its email to the provider once, and keeps no code after that", async () => {
    const { email } = await begin();
    const code = await codeTo(email);
    const mail = createMailboxMail(database.pool, services.clock);
    const ports = { mail, sms: createMailboxSms(database.pool, services.clock) };
    while ((await sendMessages(services, ports, 50)) > 0);
    expect(await newestMail(email)).toMatchObject({ status: "SENT", bodyText: "" });
    const shown = await listMailbox(database.pool, 500);
    const got = JSON.stringify(shown).split(email).length - 1;
    expect(got).toBe(1);
    expect(JSON.stringify(shown)).toContain(code);
  });
});
