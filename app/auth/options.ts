import "server-only";
import type { AuthOptions, User } from "next-auth";
import CredentialsProvider from "next-auth/providers/credentials";
import { browserFacts, readBrowserIds, writeBrowserIds } from "@/app/auth/browser-cookie";
import { type PasskeyAssertion, passkeyAssertionSchema } from "@/lib/contract/confirmation/decision";
import {
  type BrowserFacts,
  SESSION_LIFETIME_MS,
  type SignInOutcome,
  usesSecureCookies,
} from "@/lib/core/shared/session";
import { endSession } from "@/lib/core/sign-in/end-session";
import { signInWithPasskey } from "@/lib/core/sign-in/sign-in-with-passkey";
import { signInWithPassword } from "@/lib/core/sign-in/sign-in-with-password";
import { signInWithRecoveryCode } from "@/lib/core/sign-in/sign-in-with-recovery-code";
import { getRuntime, type Runtime } from "@/lib/next/runtime";
import { decodeSessionToken } from "@/lib/next/session-token";

/**
 * next-auth. Its encrypted cookie holds only the IDs of user and session; identity and role are read from the database
 * for every request (`member.ts`).
 */
export function authOptions(): AuthOptions {
  const { services, sessionSecrets } = getRuntime();
  return {
    secret: sessionSecrets()[0],
    jwt: { decode: ({ token }) => decodeSessionToken(token, sessionSecrets()) },
    session: { strategy: "jwt", maxAge: SESSION_LIFETIME_MS / 1_000 },
    useSecureCookies: usesSecureCookies(services.appUrl),
    pages: { signIn: "/sign-in", signOut: "/sign-in", error: "/sign-in" },
    providers: providers(services),
    callbacks: {
      jwt: ({ token, user }) => ({
        sub: user?.id ?? token.sub,
        sessionId: user?.sessionId ?? token.sessionId,
      }),
      session: ({ session, token }) => ({
        expires: session.expires,
        userId: token.sub ?? "",
        sessionId: token.sessionId,
      }),
    },
    events: {
      // next-auth only clears its cookie; a copy must stop working too.
      signOut: ({ token }) => endSession(services, token.sessionId),
    },
    logger: {
      error: (code, metadata) => {
        const message = metadata instanceof Error ? metadata.message : metadata.error.message;
        services.log.warn({ code, reason: message.slice(0, 200) }, "next-auth refused something");
      },
      warn: (code) => services.log.warn({ code }, "next-auth warns"),
      debug: () => {},
    },
  };
}

/** Also for clients of next-auth's protocol at `/api/auth`. */
function providers(services: Runtime["services"]): AuthOptions["providers"] {
  return [
    CredentialsProvider({
      id: "password",
      name: "Password",
      // `code`: from the authenticator app, if there is one.
      credentials: { email: { type: "email" }, password: { type: "password" }, code: { type: "text" } },
      authorize: async (given, request) => {
        const { email = "", password = "", code } = given ?? {};
        return toUser(await signInWithPassword(services, { email, password, code }, await factsOf(request)));
      },
    }),
    CredentialsProvider({
      id: "passkey",
      name: "Passkey",
      credentials: { response: { type: "text" } },
      authorize: async (given, request) => {
        const answer = readAssertion(given?.response ?? "");
        return answer && toUser(await signInWithPasskey(services, answer, await factsOf(request)));
      },
    }),
    CredentialsProvider({
      id: "recovery-code",
      name: "Recovery code",
      credentials: { email: { type: "email" }, password: { type: "password" }, code: { type: "text" } },
      authorize: async (given, request) => {
        const { email = "", password = "", code = "" } = given ?? {};
        return toUser(
          await signInWithRecoveryCode(services, { email, password, code }, await factsOf(request)),
        );
      },
    }),
  ];
}

/** @throws Error `THROTTLED` or `CODE_NEEDED`, which next-auth passes to the sign-in page. */
async function toUser(outcome: SignInOutcome): Promise<User | null> {
  if (outcome.kind === "THROTTLED" || outcome.kind === "CODE_NEEDED") throw new Error(outcome.kind);
  if (outcome.kind === "FAILED" || outcome.kind === "CODE_WRONG") return null;
  await writeBrowserIds(outcome.browserIds);
  return { id: outcome.userId, sessionId: outcome.sessionId };
}

async function factsOf(request: { headers?: Record<string, unknown> }): Promise<BrowserFacts> {
  return browserFacts(
    (name) => {
      const value = request.headers?.[name];
      return typeof value === "string" ? value : null;
    },
    await readBrowserIds(),
  );
}

function readAssertion(json: string): PasskeyAssertion | null {
  try {
    return passkeyAssertionSchema.safeParse(JSON.parse(json)).data ?? null;
  } catch {
    return null;
  }
}
