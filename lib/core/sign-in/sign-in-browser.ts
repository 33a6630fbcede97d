import { type SeenBrowser, seeBrowser } from "@/lib/core/shared/known-browsers";
import type { BrowserFacts, SignInMethod, SignInOutcome, SignInProof } from "@/lib/core/shared/session";
import { writeNotice } from "@/lib/core/shared/write-notice";
import { followBrowser } from "@/lib/core/sign-in/push-devices";
import { startSession } from "@/lib/core/sign-in/start-session";
import type { Queryable } from "@/lib/db/transaction";

/**
 * Signs a browser in after a proof of identity, and notifies the person if it is a new browser, and always after a
 * recovery code, which a thief could have found on paper. A person's first sign-in notifies no one.
 * @param client of the transaction of the proof
 * @param now real time
 * @returns null when they belong to no organization.
 */
export async function signInBrowser(
  client: Queryable,
  now: Date,
  { userId, proof }: { userId: string; proof: SignInProof },
  browser: BrowserFacts,
): Promise<Extract<SignInOutcome, { kind: "SIGNED_IN" }> | null> {
  const { userAgent, networkAddress } = browser;
  const sessionId = await startSession(client, now, { userId, proof, userAgent, networkAddress });
  if (sessionId === null) return null;
  const seen = await seeBrowser(client, now, userId, browser.browserIds);
  await followBrowser(client, { userId, sessionId }, browser.browserIds);
  if (isNews(seen, proof.method)) await noteSignIn(client, now, sessionId, userId);
  return { kind: "SIGNED_IN", userId, sessionId, browserIds: seen.browserIds };
}

function isNews({ kind }: SeenBrowser, method: SignInMethod): boolean {
  return kind === "NEW" || method === "RECOVERY_CODE";
}

async function noteSignIn(client: Queryable, now: Date, sessionId: string, userId: string): Promise<void> {
  const { rows } = await client.query<{ organizationId: string; businessNow: Date }>(
    `select s.organization_id as "organizationId",
        $2::timestamptz + o.clock_offset_ms * interval '1 millisecond' as "businessNow"
       from sessions s join organizations o on o.id = s.organization_id where s.id = $1`,
    [sessionId, now],
  );
  for (const { organizationId, businessNow } of rows) {
    await writeNotice(client, {
      organizationId,
      kind: "NEW_DEVICE",
      subjectId: sessionId,
      userId,
      digestKey: userId,
      now: businessNow,
    });
  }
}

/** Known names by what browsers claim to be. The first match counts: Edge claims to be Chrome too. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\/|\bEdgiOS\//, "Edge"],
  [/\bOPR\/|\bOpera\b/, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\bFirefox\/|\bFxiOS\//, "Firefox"],
  [/\bHeadlessChrome\//, "Headless Chrome"],
  [/\bChrome\/|\bCriOS\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\bWindows\b/, "Windows"],
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bMac OS X\b|\bMacintosh\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
];

/**
 * A browser in a few words from a fixed list, such as `Chrome on macOS`: browsers may claim anything, and a thief who
 * signs in with a stolen password would write this line of the victim's email.
 */
export function describeBrowser(userAgent: string): string {
  const browser = BROWSERS.find(([pattern]) => pattern.test(userAgent))?.[1] ?? "an unknown browser";
  const system = SYSTEMS.find(([pattern]) => pattern.test(userAgent))?.[1];
  return system === undefined ? browser : `${browser} on ${system}`;
}
