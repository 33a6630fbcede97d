import pg from "pg";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { authenticateApiKey } from "@/lib/core/keys/authenticate-api-key";
import { findInvitation } from "@/lib/core/organizations/find-invitation";
import { authenticateRuleHook } from "@/lib/core/rules/authenticate-rule-hook";
import { makeHookSecret } from "@/lib/core/rules/rule-hooks";
import { beginSignUp } from "@/lib/core/sign-in/begin-sign-up";
import { findPasswordReset, requestPasswordReset } from "@/lib/core/sign-in/reset-password";
import { signInWithPassword } from "@/lib/core/sign-in/sign-in-with-password";
import { signInWithRecoveryCode } from "@/lib/core/sign-in/sign-in-with-recovery-code";
import { newId } from "@/lib/platform/ids";
import { revokeKey } from "@/lib/testing/api-proof/key-ring";
import { useTestDatabase } from "@/lib/testing/database";
import { makeOrganization, testBrowser, testServices } from "@/lib/testing/members";
import { createTestOrganization } from "@/lib/testing/organization";
import { storeRule } from "@/lib/testing/rules/rule-runs";

/**
 * Goal: response times reveal nothing to strangers about who or what exists. Method: since time is noise on a busy
 * machine, the costly work is counted: password hashes, and statements sent to the database, which must be equal for
 * something that exists and something that does not.
 */
const work = vi.hoisted(() => ({ hashes: 0 }));
vi.mock("@node-rs/argon2", async (importOriginal) => {
  const argon2 = await importOriginal<typeof import("@node-rs/argon2")>();
  const counted =
    <Arguments extends unknown[], Result>(run: (...given: Arguments) => Result) =>
    (...given: Arguments) => {
      work.hashes += 1;
      return run(...given);
    };
  return { ...argon2, hash: counted(argon2.hash), verify: counted(argon2.verify) };
});

const database = useTestDatabase();
let services: ReturnType<typeof testServices>;
let statements: { mockClear: () => void; mock: { calls: unknown[][] } };
let email: string;
beforeAll(async () => {
  // Before the first connection: the pool keeps the function that it sends with.
  statements = vi.spyOn(pg.Client.prototype, "query");
  services = testServices(database);
  email = (await makeOrganization(services)).ownerEmail;
  // The decoy is created once per process.
  await signInWithPassword(services, { email: "nobody@example.com", password: "a guess" }, testBrowser());
});
beforeEach(() => vi.clearAllMocks());

/** The cost of an attempt. */
async function costOf(attempt: () => Promise<unknown>): Promise<{ hashes: number; statements: number }> {
  work.hashes = 0;
  statements.mockClear();
  await attempt();
  return { hashes: work.hashes, statements: statements.mock.calls.length };
}

describe("a known and an unknown address cost the same", () => {
  const unknown = "nobody-at-all@example.com";
  it.each<[string, (address: string) => Promise<unknown>, number]>([
    [
      "signing in with a wrong password",
      (address) => signInWithPassword(services, { email: address, password: "a guess" }, testBrowser()),
      1,
    ],
    [
      "signing in with a recovery code",
      (address) =>
        signInWithRecoveryCode(
          services,
          { email: address, password: "a guess", code: "xxxx" },
          testBrowser(),
        ),
      1,
    ],
    [
      "requesting a new password",
      (address) =>
        requestPasswordReset(services, { email: address }, testBrowser().networkAddress, {
          isSandboxBank: true,
        }),
      0,
    ],
    [
      "signing up",
      (address) =>
        beginSignUp(
          services,
          { name: "Mara", email: address, password: "a password of her own" },
          testBrowser().networkAddress,
          { policy: "OPEN", isSandboxBank: true },
        ),
      2,
    ],
  ])("%s", async (_, attempt, hashes) => {
    const known = await costOf(() => attempt(email));
    const unknownCost = await costOf(() => attempt(unknown));
    expect(unknownCost).toEqual(known);
    expect(known.hashes).toBe(hashes);
    expect(known.statements).toBeGreaterThan(0);
  });
});

describe("an invalid secret costs the same, whatever the reason", () => {
  it("a key that never existed, and a revoked one", async () => {
    const organization = await createTestOrganization(database, services);
    const [revoked, other] = [await organization.addKey([]), await organization.addKey([])];
    await revokeKey(database, organization.organizationId, revoked.id);
    await database.ownerPool.query("delete from api_keys where id = $1", [other.id]);
    const costOfAsking = (text: string) =>
      costOf(async () => expect(await authenticateApiKey(services, text)).toBeNull());
    expect(await costOfAsking(revoked.text)).toEqual({ hashes: 0, statements: 1 });
    expect(await costOfAsking(other.text)).toEqual({ hashes: 0, statements: 1 });
    // Immediately again: it is remembered as unknown.
    expect(await costOfAsking(revoked.text)).toEqual({ hashes: 0, statements: 0 });
    expect(await costOfAsking(other.text)).toEqual({ hashes: 0, statements: 0 });
  });

  it("a wrong secret of a rule's hook, a rule without a hook, and an unknown rule", async () => {
    const organization = await createTestOrganization(database, services);
    const { owner } = organization;
    const from = await organization.addAccount({ name: "Operating", type: "POD" });
    const to = await organization.addAccount({ name: "Taxes", type: "POD" });
    const action = {
      type: "FIXED" as const,
      amountInCents: 100,
      sourceAccountId: from,
      destinationAccountId: to,
      group: 0,
    };
    const rule = (name: string) =>
      storeRule(
        database,
        owner,
        { name, trigger: { type: "MANUAL" as const, accountId: from }, steps: [{ actions: [action] }] },
        true,
      );
    const [hooked, bare] = [await rule("Hooked"), await rule("Bare")];
    const secret = await makeHookSecret(services, owner, hooked.id);
    const wrong = `${secret.slice(0, -1)}${secret.endsWith("a") ? "b" : "a"}`;
    const costs = [];
    for (const id of [hooked.id, bare.id, newId(services.clock.now())]) {
      costs.push(
        await costOf(async () => expect(await authenticateRuleHook(services, id, wrong)).toBeNull()),
      );
    }
    expect(new Set(costs.map((cost) => JSON.stringify(cost))).size).toBe(1);
  });

  it.each([
    ["an invitation", (token: string) => findInvitation(services, token)],
    ["a link to a new password", (token: string) => findPasswordReset(services, token)],
  ])("unknown tokens of %s are looked up by their hash alone", async (_, find) => {
    const cost = await costOf(() => find("x".repeat(43)));
    expect(cost).toEqual({ hashes: 0, statements: 1 });
    // Only the hash is sent: no comparison depends on how much of a guess is right.
    expect(JSON.stringify(statements.mock.calls)).not.toContain("xxxxxxxxxx");
  });
});
