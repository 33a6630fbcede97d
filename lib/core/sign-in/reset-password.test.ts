import { Secret, TOTP } from "otpauth";
import { beforeEach, describe, expect, it } from "vitest";
import { beginAuthenticator, confirmAuthenticator } from "@/lib/core/sign-in/manage-second-factors";
import { readSession } from "@/lib/core/sign-in/read-session";
import {
  findPasswordReset,
  PASSWORD_RESET_LIFETIME_MS,
  requestPasswordReset,
  resetPassword,
} from "@/lib/core/sign-in/reset-password";
import { beginPasskeySignIn, signInWithPasskey } from "@/lib/core/sign-in/sign-in-with-passkey";
import { signInWithPassword } from "@/lib/core/sign-in/sign-in-with-password";
import { signInWithRecoveryCode } from "@/lib/core/sign-in/sign-in-with-recovery-code";
import { useTestDatabase } from "@/lib/testing/database";
import {
  enrollPasskey,
  makeMember,
  makeOrganization,
  signIn,
  TEST_PASSWORD,
  testBrowser,
  testServices,
} from "@/lib/testing/members";

const database = useTestDatabase();
let services: ReturnType<typeof testServices>;
beforeEach(() => {
  services = testServices(database);
});

const SETTING = { isSandboxBank: true };
const NEW_PASSWORD = "another long password";
const network = () => testBrowser().networkAddress;

async function tokensTo(email: string): Promise<string[]> {
  const { rows } = await database.ownerPool.query<{ bodyText: string }>(
    `select body_text as "bodyText" from person_messages where recipient = $1 and kind = 'PASSWORD_RESET' order by id`,
    [email],
  );
  return rows.map(({ bodyText }) => /\/reset\/([A-Za-z0-9_-]{43})/.exec(bodyText)?.[1] ?? "none");
}

async function request(email: string): Promise<string> {
  expect(await requestPasswordReset(services, { email }, network(), SETTING)).toEqual({ kind: "SENT" });
  return (await tokensTo(email)).at(-1) ?? "none";
}

const reset = (token: string, password = NEW_PASSWORD) =>
  resetPassword(services, token, { password }, network(), SETTING);
const signInOutcome = async (email: string, password: string) =>
  (await signInWithPassword(services, { email, password }, testBrowser())).kind;

describe("a new password by email", () => {
  it("is set once, ends every session, notifies the member, and leaves passkeys alone", async () => {
    const { ownerEmail } = await makeOrganization(services);
    const actor = await signIn(services, ownerEmail);
    const { authenticator } = await enrollPasskey(services, actor);
    const other = await signIn(services, ownerEmail);
    const token = await request(ownerEmail);
    // Mail scanners open links.
    expect(await findPasswordReset(services, token)).toEqual({ email: ownerEmail });
    expect(await findPasswordReset(services, token)).toEqual({ email: ownerEmail });
    expect(await reset(token)).toEqual({ kind: "DONE" });
    expect(await readSession(services, actor.sessionId)).toBeNull();
    expect(await readSession(services, other.sessionId)).toBeNull();
    expect(await signInOutcome(ownerEmail, TEST_PASSWORD)).toBe("FAILED");
    expect(await signInOutcome(ownerEmail, NEW_PASSWORD)).toBe("SIGNED_IN");
    const begun = await beginPasskeySignIn(services, network());
    if (begun.kind === "THROTTLED") throw new Error("throttled");
    const answer = authenticator.get(begun.options);
    expect((await signInWithPasskey(services, answer, testBrowser())).kind).toBe("SIGNED_IN");
    expect(await reset(token, "a third long password")).toEqual({ kind: "OVER" });
    const { rows } = await database.ownerPool.query(
      "select count(*)::int as count from person_messages where recipient = $1 and kind = 'PASSWORD_CHANGED'",
      [ownerEmail],
    );
    expect(rows).toEqual([{ count: 1 }]);
  });

  it("leaves an authenticator app and recovery codes alone: the new password without one of them opens nothing", async () => {
    const { ownerEmail } = await makeOrganization(services);
    const actor = await signIn(services, ownerEmail);
    const { secret } = await beginAuthenticator(services, actor);
    const codeNow = () =>
      new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: services.clock.now().getTime() });
    const { recoveryCodes } = await confirmAuthenticator(services, actor, { code: codeNow() });
    expect(await reset(await request(ownerEmail))).toEqual({ kind: "DONE" });
    expect(await signInOutcome(ownerEmail, NEW_PASSWORD)).toBe("CODE_NEEDED");
    // The app's codes count once each.
    services.clock.advance(60_000);
    const withApp = { email: ownerEmail, password: NEW_PASSWORD, code: codeNow() };
    expect((await signInWithPassword(services, withApp, testBrowser())).kind).toBe("SIGNED_IN");
    const withRecoveryCode = { ...withApp, code: recoveryCodes?.[0] ?? "" };
    expect((await signInWithRecoveryCode(services, withRecoveryCode, testBrowser())).kind).toBe("SIGNED_IN");
  });

  it("gives an unknown address the same response as any other, and sends nothing there", async () => {
    const email = "nobody-at-all@example.com";
    expect(await requestPasswordReset(services, { email }, network(), SETTING)).toEqual({ kind: "SENT" });
    expect(await tokensTo(email)).toEqual([]);
  });

  it("sends five emails an hour to one address, known or not", async () => {
    const { ownerEmail } = await makeOrganization(services);
    for (const email of [ownerEmail, "nobody-else@example.com"]) {
      const outcomes: string[] = [];
      for (let count = 0; count < 6; count += 1) {
        outcomes.push((await requestPasswordReset(services, { email }, network(), SETTING)).kind);
      }
      expect(outcomes).toEqual(["SENT", "SENT", "SENT", "SENT", "SENT", "THROTTLED"]);
    }
  });

  it("works for half an hour, and invalidates other requested links", async () => {
    const { ownerEmail } = await makeOrganization(services);
    const old = await request(ownerEmail);
    services.clock.advance(PASSWORD_RESET_LIFETIME_MS);
    expect(await findPasswordReset(services, old)).toBeNull();
    expect(await reset(old)).toEqual({ kind: "OVER" });
    const first = await request(ownerEmail);
    const second = await request(ownerEmail);
    expect(await reset(first)).toEqual({ kind: "DONE" });
    expect(await reset(second)).toEqual({ kind: "OVER" });
  });

  it("is set by one of many concurrent uses of a link, and by two links of one member in turn", async () => {
    const { ownerEmail } = await makeOrganization(services);
    const tokens = [await request(ownerEmail), await request(ownerEmail)];
    const outcomes = await Promise.all([...tokens, ...tokens].map((token) => reset(token)));
    expect(outcomes.filter(({ kind }) => kind === "DONE")).toHaveLength(1);
    expect(outcomes.filter(({ kind }) => kind === "OVER")).toHaveLength(3);
  });

  it("rejects a short password without consuming the link, and affects no one else", async () => {
    const { organizationId, ownerEmail } = await makeOrganization(services);
    const { email } = await makeMember(services, organizationId, "VIEWER");
    const viewer = await signIn(services, email);
    const token = await request(ownerEmail);
    expect((await reset(token, "short")).kind).toBe("INVALID");
    expect(await reset(token)).toEqual({ kind: "DONE" });
    expect(await readSession(services, viewer.sessionId)).not.toBeNull();
    expect(await signInOutcome(email, TEST_PASSWORD)).toBe("SIGNED_IN");
  });

  it("stores the link only in the email, and deletes what has expired", async () => {
    const { ownerEmail } = await makeOrganization(services);
    const token = await request(ownerEmail);
    const { rows } = await database.ownerPool.query("select r::text as row from password_resets r");
    expect(JSON.stringify(rows)).not.toContain(token);
  });
});
