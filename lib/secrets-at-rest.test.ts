import pino from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createHooks } from "@/lib/api/hooks/app";
import { createAuditWriter } from "@/lib/core/audit/audit-writer";
import { sendMessages } from "@/lib/core/notifications/send-messages";
import { sendNotices } from "@/lib/core/notifications/send-notices";
import { inviteMember } from "@/lib/core/organizations/invite-member";
import { makeHookSecret } from "@/lib/core/rules/rule-hooks";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { beginSignUp } from "@/lib/core/sign-in/begin-sign-up";
import { setPhone } from "@/lib/core/sign-in/change-phone";
import { beginAuthenticator } from "@/lib/core/sign-in/manage-second-factors";
import { registerDevice } from "@/lib/core/sign-in/push-devices";
import { requestPasswordReset } from "@/lib/core/sign-in/reset-password";
import { signInWithPassword } from "@/lib/core/sign-in/sign-in-with-password";
import { createEndpoint } from "@/lib/core/webhooks/create-endpoint";
import type { Services } from "@/lib/platform/services";
import type { OutgoingMail, OutgoingSms } from "@/lib/ports/messages/message-ports";
import { createTestApi, readEverything } from "@/lib/testing/api";
import { useTestDatabase } from "@/lib/testing/database";
import { enrollPasskey, makeOrganization, signIn, TEST_PASSWORD, testBrowser } from "@/lib/testing/members";
import {
  connect,
  obtainCode,
  register,
  startTestOAuth,
  TEST_PRODUCT_SECRET,
  type TestOAuth,
} from "@/lib/testing/oauth";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestDevice, createTestPush } from "@/lib/testing/push/push-service";
import { storeRule } from "@/lib/testing/rules/rule-runs";
import { createRealTimeServices } from "@/lib/testing/services";
import { createTestWebhooks } from "@/lib/testing/webhooks";

/**
 * Goal: a reader of the database or the log can neither act as someone else nor read their secrets. Method: every kind of
 * secret is created and used through its commands; then every column of every table, and every line of the log at its
 * lowest level without production's redaction, is searched for it: as it is, in hexadecimal and in base64. The provider's
 * token is in lib/ports/aggregator/plaid/create-plaid-aggregator.test.ts.
 */
const database = useTestDatabase();
let oauth: TestOAuth;
const lines: string[] = [];
const mails: OutgoingMail[] = [];
const texts: OutgoingSms[] = [];
/** By kind. */
const secrets = new Map<string, string>();
let dump = "";

beforeAll(async () => {
  const log = pino({ level: "trace" }, { write: (line: string) => void lines.push(line) });
  oauth = await startTestOAuth({ ...createRealTimeServices(database.pool), log });
  await makeSecretsOfPeople(oauth.services);
  await makeSecretsOfPrograms(oauth);
  await sendEverything(oauth.services);
  dump = await dumpDatabase();
});
afterAll(async () => {
  await oauth.close();
});

const KINDS = [
  "password",
  "wrong password",
  "authenticator seed",
  "recovery code",
  "invitation token",
  "reset token",
  "sign-up token",
  "sign-up code",
  "telephone code",
  "API key",
  "wrong API key",
  "webhook secret",
  "rule hook secret",
  "wrong rule hook secret",
  "client secret",
  "authorization code",
  "access token",
  "refresh token",
  "push endpoint",
  "product secret",
] as const;

describe.each(KINDS)("the %s", (kind) => {
  it("is in no column of any table, and in no line of the log", () => {
    const secret = secrets.get(kind) ?? "";
    expect(secret.length).toBeGreaterThanOrEqual(6);
    for (const form of formsOf(secret)) {
      expect(found(dump, form), "in the database").toEqual([]);
      expect(found(lines.join("\n"), form), "in the log").toEqual([]);
    }
  });
});

it("a leaked secret would be found, in each of its forms", () => {
  for (const form of formsOf("sluice_abcdef")) expect(found(`x "${form}" y`, form)).toHaveLength(1);
  // Something public is found, so the dump is of this scene.
  expect(dump).toContain("Secrets Incorporated");
  expect(dump.length).toBeGreaterThan(20_000);
  expect(secrets.size).toBe(KINDS.length);
  expect(lines.filter((line) => line.includes("signed in"))).toHaveLength(1);
  expect(lines.filter((line) => line.includes("a sign-in was refused"))).toHaveLength(1);
});

async function makeSecretsOfPeople(services: Services): Promise<void> {
  const setting = { isSandboxBank: true };
  const { ownerEmail, organizationId } = await makeOrganization(services, "Secrets Incorporated");
  const actor = await signIn(services, ownerEmail);
  secrets.set("password", TEST_PASSWORD);
  const wrong = "a wrong password of no member";
  await signInWithPassword(services, { email: ownerEmail, password: wrong }, testBrowser());
  secrets.set("wrong password", wrong);
  const now = services.clock.now();
  const context: Context<MemberActor> = {
    organizationId,
    actor,
    now,
    requestId: "0000-0000-0000",
    calledReason: null,
  };
  secrets.set("authenticator seed", (await beginAuthenticator(services, actor)).secret.replaceAll(" ", ""));
  await inviteMember(services, context, { email: "guest@example.com", role: "VIEWER" }, setting);
  await requestPasswordReset(services, { email: ownerEmail }, null, setting);
  await setPhone(services, context, { phone: "+15555550123" }, null);
  const begun = await beginSignUp(
    services,
    { name: "Newcomer", email: "new@example.com", password: "a newcomer's long password" },
    null,
    { policy: "OPEN", isSandboxBank: true },
  );
  secrets.set("sign-up token", begun.kind === "BEGUN" ? begun.token : "");
  const device = createTestDevice("http://127.0.0.1:9");
  await registerDevice(services, createTestPush(), actor, device, testBrowser());
  secrets.set("push endpoint", device.token);
  const { recoveryCodes } = await enrollPasskey(services, actor);
  secrets.set("recovery code", recoveryCodes[0] ?? "");
}

async function makeSecretsOfPrograms(api: TestOAuth): Promise<void> {
  const { services } = api;
  const organization = await createTestOrganization(database, services, "Programs");
  const { owner } = organization;
  const call = createTestApi(services);
  const key = await organization.addKey(readEverything, "reads");
  await call(key.text, "GET", "/accounts");
  secrets.set("API key", key.text);
  const wrongKey = `${key.text.slice(0, -1)}${key.text.endsWith("a") ? "b" : "a"}`;
  await call(wrongKey, "GET", "/accounts");
  secrets.set("wrong API key", wrongKey);
  const endpoint = await createEndpoint(services, createTestWebhooks(), owner, {
    url: "https://hooks.example/x",
  });
  secrets.set("webhook secret", endpoint.kind === "CREATED" ? endpoint.secret : "");
  const from = await organization.addAccount({ name: "Operating", type: "POD", balanceInCents: 10_000 });
  const to = await organization.addAccount({ name: "Taxes", type: "POD" });
  const action = {
    type: "FIXED" as const,
    amountInCents: 100,
    sourceAccountId: from,
    destinationAccountId: to,
    group: 0,
  };
  const definition = {
    name: "Hooked",
    trigger: { type: "MANUAL" as const, accountId: from },
    steps: [{ actions: [action] }],
  };
  const { id: ruleId } = await storeRule(database, owner, definition, true);
  const hookSecret = await makeHookSecret(services, owner, ruleId);
  secrets.set("rule hook secret", hookSecret);
  const wrongHook = `${hookSecret.slice(0, -1)}${hookSecret.endsWith("a") ? "b" : "a"}`;
  const hooks = createHooks({ ...services, audit: createAuditWriter(services) });
  for (const secret of [hookSecret, wrongHook]) {
    await hooks.request(`/hooks/rules/${ruleId}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${secret}` },
    });
  }
  secrets.set("wrong rule hook secret", wrongHook);
  const { body: client } = await register(api, { token_endpoint_auth_method: "client_secret_basic" });
  secrets.set("client secret", client.client_secret ?? "");
  const { clientId, tokens } = await connect(api, owner);
  secrets.set("access token", tokens.access_token);
  secrets.set("refresh token", tokens.refresh_token ?? "");
  secrets.set("authorization code", (await obtainCode(api, owner, { clientId })).code);
  secrets.set("product secret", TEST_PRODUCT_SECRET);
}

/** Tokens and codes are in the text of the one message that carries them, until it is sent. */
async function sendEverything(services: Services): Promise<void> {
  const into = <Message>(sent: Message[]) => ({
    send: async (one: Message) => {
      sent.push(one);
      return { providerId: null };
    },
  });
  const [mail, sms] = [into(mails), into(texts)];
  for (let round = 0; round < 20; round += 1) {
    const handled = await sendNotices(services, { isSandboxBank: true }, 50);
    if (handled + (await sendMessages(services, { mail, sms }, 100)) === 0) break;
  }
  const written = mails.map(({ text }) => text).join("\n");
  secrets.set("invitation token", /\/invitations\/([\w-]{43})/.exec(written)?.[1] ?? "");
  secrets.set("reset token", /\/reset\/([\w-]{43})/.exec(written)?.[1] ?? "");
  secrets.set(
    "sign-up code",
    /\b\d{6}\b/.exec(mails.find(({ to }) => to === "new@example.com")?.text ?? "")?.[0] ?? "",
  );
  secrets.set("telephone code", /\b\d{6}\b/.exec(texts[0]?.text ?? "")?.[0] ?? "");
}

/** Every row of every table as text; bytes in hexadecimal. */
async function dumpDatabase(): Promise<string> {
  const { rows } = await database.ownerPool.query<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'",
  );
  const parts: string[] = [];
  for (const { name } of rows) {
    const result = await database.ownerPool.query<{ text: string }>(
      `select t::text as text from "${name}" t`,
    );
    parts.push(...result.rows.map(({ text }) => `${name} ${text}`));
  }
  return parts.join("\n");
}

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  // Six digits in hexadecimal could match anything.
  if (secret.length < 10) return [secret];
  return [
    secret,
    bytes.toString("hex"),
    bytes.toString("base64").replace(/=+$/, ""),
    bytes.toString("base64url"),
  ];
}

/** Where it occurs as a whole word, with its surroundings. */
function found(text: string, form: string): string[] {
  const places: string[] = [];
  for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + 1)) {
    const around = text.slice(Math.max(0, at - 60), at + form.length + 20);
    const isWord = !/\d/.test(text[at - 1] ?? "") && !/\d/.test(text[at + form.length] ?? "");
    if (form.length > 6 || isWord) places.push(around);
  }
  return places;
}
