import { randomUUID } from "node:crypto";
import type { StepUpAct } from "@/lib/contract/confirmation/step-up";
import { addMember } from "@/lib/core/organizations/add-member";
import { createOrganization, type NewOrganization } from "@/lib/core/organizations/create-organization";
import type { MemberActor } from "@/lib/core/shared/context";
import type { BrowserFacts } from "@/lib/core/shared/session";
import { beginEnrollment, finishEnrollment } from "@/lib/core/sign-in/passkeys";
import { storedAct } from "@/lib/core/sign-in/presence";
import { readSession } from "@/lib/core/sign-in/read-session";
import { signInWithPassword } from "@/lib/core/sign-in/sign-in-with-password";
import { createEncryption } from "@/lib/platform/encryption";
import { createKeyedHash } from "@/lib/platform/keyed-hash";
import { createLog } from "@/lib/platform/log";
import type { Services } from "@/lib/platform/services";
import { SANDBOX_CAPABILITIES } from "@/lib/ports/bank/sandbox/create-sandbox-bank";
import { TestClock, waitsOn } from "@/lib/testing/services";
import type { TestDatabase } from "./database";
import { SoftwareAuthenticator } from "./software-authenticator";

export const TEST_APP_URL = "http://localhost:4330";
export const TEST_PASSWORD = "correct horse battery";

/** The services of a test, with a clock that it moves. */
export function testServices(database: Pick<TestDatabase, "pool">): Services & { clock: TestClock } {
  return {
    pool: database.pool,
    clock: new TestClock(),
    log: createLog("silent"),
    appUrl: TEST_APP_URL,
    authenticatorSecrets: createEncryption("a product secret of tests", "authenticator secrets"),
    documentKeys: createEncryption("a product secret of tests", "document keys"),
    accountHash: createKeyedHash("a product secret of tests", "bank accounts"),
    bankCapabilities: SANDBOX_CAPABILITIES,
    waits: waitsOn(database.pool),
    wake: () => {},
  };
}

/** A browser of a test; by default each comes from its own network. */
export function testBrowser(networkAddress: string | null = null): BrowserFacts & { networkAddress: string } {
  return {
    networkAddress: networkAddress ?? `2001:db8:${randomUUID().slice(0, 4)}:${randomUUID().slice(0, 4)}::1`,
    userAgent: "Vitest",
    browserIds: [],
  };
}

export interface TestOrganization extends NewOrganization {
  ownerEmail: string;
}

/** An organization whose owner signs in with `TEST_PASSWORD`. */
export async function makeOrganization(
  services: Services,
  name = "Northwind Studio",
): Promise<TestOrganization> {
  const ownerEmail = `${randomUUID()}@example.com`;
  const organization = await createOrganization(services, {
    name,
    kind: "BUSINESS",
    timeZone: "America/New_York",
    owner: { email: ownerEmail, name: "Olivia Owner", password: TEST_PASSWORD },
  });
  return { ...organization, ownerEmail };
}

/** A member who signs in with `TEST_PASSWORD`. */
export async function makeMember(
  services: Services,
  organizationId: string,
  role: MemberActor["role"],
): Promise<{ userId: string; email: string }> {
  const email = `${randomUUID()}@example.com`;
  const { userId } = await addMember(services, {
    organizationId,
    role,
    email,
    name: "Mara Member",
    password: TEST_PASSWORD,
  });
  return { userId, email };
}

/** Signs in by password and returns the actor of that session. */
export async function signIn(
  services: Services,
  email: string,
  password = TEST_PASSWORD,
): Promise<MemberActor> {
  const outcome = await signInWithPassword(services, { email, password }, testBrowser());
  if (outcome.kind !== "SIGNED_IN") throw new Error(`Could not sign in: ${outcome.kind}`);
  return readActor(services, outcome.sessionId);
}

/** The actor of a session as it is now. */
export async function readActor(services: Services, sessionId: string): Promise<MemberActor> {
  const current = await readSession(services, sessionId);
  if (!current) throw new Error("The session has ended.");
  return current.actor;
}

/** As if the member had just confirmed this act with a passkey, in the organization that their session shows. */
export async function confirmAct(
  { ownerPool }: Pick<TestDatabase, "ownerPool">,
  { sessionId }: Pick<MemberActor, "sessionId">,
  act: StepUpAct,
  now: Date,
): Promise<void> {
  await ownerPool.query(
    `insert into step_ups (session_id, act, organization_id, method, has_code, verified_at)
     select id, $2, organization_id, 'PASSKEY', false, $3 from sessions where id = $1
     on conflict (session_id, act) do update set organization_id = excluded.organization_id,
       verified_at = excluded.verified_at`,
    [sessionId, storedAct(act), now],
  );
}

/** Enrolls a passkey; the actor must have signed in just now, or confirmed it. */
export async function enrollPasskey(
  services: Services,
  actor: MemberActor,
  name = "Test key",
): Promise<{ authenticator: SoftwareAuthenticator; recoveryCodes: string[] }> {
  const authenticator = new SoftwareAuthenticator(new URL(services.appUrl).origin);
  const options = await beginEnrollment(services, actor);
  const { recoveryCodes } = await finishEnrollment(services, actor, {
    name,
    response: authenticator.create(options),
  });
  return { authenticator, recoveryCodes: recoveryCodes ?? [] };
}
