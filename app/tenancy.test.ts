import { beforeAll, describe, expect, it, vi } from "vitest";
import { formatShown } from "@/lib/contract/shown";
import { setRuntime } from "@/lib/next/runtime";
import { type ActionCase, loadActionCases } from "@/lib/testing/actions/action-cases";
import { type ActionScene, arrangeActions, testRuntime } from "@/lib/testing/actions/action-scene";
import { useTestDatabase } from "@/lib/testing/database";
import { comparable, idOfNothing, idsIn, readTenantRows, replaceIds } from "@/lib/testing/foreign-ids";

/**
 * The owner of one organization calls every server action with IDs of another: each answers exactly as for unknown IDs,
 * reveals no name and changes nothing there. Programs: lib/api/tenancy.test.ts; pages: e2e/access/tenancy.spec.ts.
 */
const browser = vi.hoisted(() => ({ sessionId: "", userId: "", shown: "" }));
vi.mock("next/cache", () => ({ revalidatePath: () => {}, revalidateTag: () => {}, refresh: () => {} }));
vi.mock("next/headers", () => ({
  headers: async () => new Headers({ "user-agent": "Vitest" }),
  cookies: async () => ({ get: () => undefined, set: () => {}, delete: () => {} }),
}));
vi.mock("@/app/auth/session-cookie", () => ({
  readSessionCookie: async () => ({ ...browser }),
  writeSessionCookie: async () => {},
  clearSessionCookie: async () => {},
}));

/** In every name of the other organization, and in no argument. */
const CANARY = "CANARY77";

const database = useTestDatabase();
let scene: ActionScene;
let withIds = 0;

beforeAll(async () => {
  scene = await arrangeActions(database);
  setRuntime(testRuntime(scene));
});

/** Actions for anyone depend on a secret, not on IDs. */
const byMembers = (await loadActionCases()).filter(({ may }) => may !== "ANYONE");

describe.each(byMembers)("$file $name", (example) => {
  it("answers the IDs of another organization like unknown IDs, reveals nothing and changes nothing there", async () => {
    const args = await example.call(scene, scene.members.OWNER);
    await markNames();
    const before = await readTenantRows(database.ownerPool, scene.organizationId);
    await signInStranger();
    const foreign = await run(example, args);
    expect(foreign).not.toContain(CANARY);
    expect(await readTenantRows(database.ownerPool, scene.organizationId)).toEqual(before);
    if (idsIn(args).length === 0) return;
    withIds += 1;
    await signInStranger();
    const replaced = new Map(idsIn(args).map((id) => [id, idOfNothing(scene.clock.now())]));
    const nothing = await run(
      example,
      replaceIds(args, (id) => replaced.get(id) ?? id),
    );
    expect(comparable(foreign)).toBe(comparable(nothing));
  });
});

it("found ids in the arguments of most actions", () => {
  expect(withIds).toBeGreaterThan(40);
});

async function run({ send }: ActionCase, args: unknown): Promise<string> {
  if (!Array.isArray(args)) throw new Error("The arguments are not a list");
  try {
    const answer = await send(args, browser.shown);
    return JSON.stringify(answer) ?? "undefined";
  } catch (error) {
    // A redirect of Next is thrown, and carries its address.
    if (!(error instanceof Error)) throw error;
    return `${error.message} ${"digest" in error ? String(error.digest) : ""}`;
  }
}

/** An answer with the canary has read the other organization. */
async function markNames(): Promise<void> {
  const mark = (table: string, column: string) =>
    `update ${table} set ${column} = left(${column}, 20) || ' ${CANARY}'
      where ${table === "organizations" ? "id" : "organization_id"} = $1 and ${column} not like '%${CANARY}'`;
  const named = ["accounts", "cards", "api_keys", "beneficiaries"].map(
    (table) => `${table}_marked as (${mark(table, "name")})`,
  );
  await database.ownerPool.query({
    name: "mark_names",
    text: `with ${named.join(", ")} ${mark("organizations", "name")}`,
    values: [scene.organizationId],
  });
}

/** Restores the session after earlier calls. */
async function signInStranger(): Promise<void> {
  const { actor, organizationId } = scene.stranger.owner;
  const now = scene.clock.now();
  await database.ownerPool.query({
    name: "sign_in_stranger",
    text: `with passkey as (delete from passkeys where user_id = $3),
        recovery_code as (delete from recovery_codes where user_id = $3),
        authenticator as (delete from authenticators where user_id = $3)
      update sessions set authenticated_at = $1, last_seen_at = $1, revoked_at = null, expires_at = $2,
        method = 'PASSWORD', organization_id = $4 where user_id = $3`,
    values: [now, new Date(now.getTime() + 86_400_000), actor.id, organizationId],
  });
  browser.sessionId = actor.sessionId;
  browser.userId = actor.id;
  browser.shown = formatShown({ userId: actor.id, organizationId, proposalId: null });
}
