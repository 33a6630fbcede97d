import { encode } from "next-auth/jwt";
import { beforeEach, expect, it } from "vitest";
import { createSessionCheck, readSessionToken } from "@/lib/next/session-token";

const secret = "of this installation";
const HOUR_MS = 3_600_000;
const SESSION = {
  sub: "019a0000-0000-7000-8000-000000000001",
  sessionId: "019a0000-0000-7000-8000-000000000002",
};

let nowMs: number;
beforeEach(() => {
  nowMs = Date.now();
});
const clock = { now: () => new Date(nowMs) };
const check = (maximumRemembered?: number) =>
  createSessionCheck(
    { cookieName: "next-auth.session-token", secrets: () => [secret], clock },
    maximumRemembered,
  );
const cookieOf = (token: string) => `theme=dark; next-auth.session-token=${token}`;
const issue = (changed: Partial<Parameters<typeof encode>[0]> = {}) =>
  encode({ token: SESSION, secret, maxAge: 3_600, ...changed });

const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");

it("a session's token is read as its person and session", async () => {
  expect(await readSessionToken(await issue(), [secret])).toMatchObject({
    userId: SESSION.sub,
    sessionId: SESSION.sessionId,
  });
});

it("a valid session counts as signed in, the first time and from memory", async () => {
  const isSignedIn = check();
  const cookie = cookieOf(await issue());
  expect([await isSignedIn(cookie), await isSignedIn(cookie)]).toEqual([true, true]);
});

it("a forged, altered, expired, foreign or oversized cookie counts as a stranger's, each time", async () => {
  const valid = await issue();
  const strangers = [
    undefined,
    "",
    "next-auth.session-token=",
    cookieOf("planted"),
    cookieOf("a.b.c.d.e"),
    cookieOf("%%%"),
    cookieOf(`${valid.slice(0, -2)}${valid.endsWith("AA") ? "BB" : "AA"}`),
    cookieOf(await issue({ secret: "of another installation" })),
    cookieOf(await issue({ maxAge: -60 })),
    cookieOf(`${encoded({ alg: "none" })}.${encoded(SESSION)}.`),
    // Encrypted with the same secret for something else.
    cookieOf(await issue({ token: JSON.parse('{ "state": "x" }') })),
    cookieOf(await issue({ token: { ...SESSION, padding: "x".repeat(5_000) } })),
    // Only over TLS has the cookie this name.
    `__Secure-next-auth.session-token=${valid}`,
  ];
  const isSignedIn = check();
  for (const cookie of [...strangers, ...strangers])
    expect(await isSignedIn(cookie), String(cookie).slice(0, 60)).toBe(false);
});

it("a session that was remembered as valid does not outlive its expiry", async () => {
  const isSignedIn = check();
  const cookie = cookieOf(await issue());
  expect(await isSignedIn(cookie)).toBe(true);
  nowMs += HOUR_MS + 1_000;
  expect(await isSignedIn(cookie)).toBe(false);
});

it("remembers as many sessions as it may, and reads the others again", async () => {
  const isSignedIn = check(2);
  const cookies = await Promise.all([1, 2, 3].map(async () => cookieOf(await issue())));
  for (const cookie of [...cookies, ...cookies]) expect(await isSignedIn(cookie)).toBe(true);
  nowMs += HOUR_MS + 1_000;
  // The first was forgotten, so next-auth judges it by the real time; the last one is remembered with its expiry.
  expect(await isSignedIn(cookies.at(0))).toBe(true);
  expect(await isSignedIn(cookies.at(-1))).toBe(false);
});
