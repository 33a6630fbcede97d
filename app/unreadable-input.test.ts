import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { AppError } from "@/lib/contract/error";
import { formatShown } from "@/lib/contract/shown";
import { setRuntime } from "@/lib/next/runtime";
import { type ActionCase, loadActionCases } from "@/lib/testing/actions/action-cases";
import { type ActionScene, arrangeActions, testRuntime } from "@/lib/testing/actions/action-scene";
import { useTestDatabase } from "@/lib/testing/database";

/**
 * Anyone can call a server action with anything. What React makes of `"$T"` in an argument throws as soon as it is read:
 * an action that reads it otherwise than `memberAction` would write an error to the log for each call of a stranger.
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

const database = useTestDatabase();
let scene: ActionScene;

beforeAll(async () => {
  scene = await arrangeActions(database);
  setRuntime(testRuntime(scene));
});
afterEach(() => vi.restoreAllMocks());
beforeEach(async () => {
  const { actor, organizationId } = scene.members.OWNER;
  await database.ownerPool.query(
    "update sessions set revoked_at = null, authenticated_at = $2 where id = $1",
    [actor.sessionId, scene.clock.now()],
  );
  await database.ownerPool.query("delete from throttles");
  browser.sessionId = actor.sessionId;
  browser.userId = actor.id;
  browser.shown = formatShown({ userId: actor.id, organizationId, proposalId: null });
});

/** As React decodes `$T`: a function that throws when read. */
const UNREADABLE: unknown = new Proxy(() => undefined, {
  get: (_, name) => {
    throw new Error(`Cannot access ${String(name)} on the server`);
  },
  set: () => {
    throw new Error("Cannot assign to a temporary client reference");
  },
});

/** These arguments with it in each place: as an argument, or in a field of one. */
function unreadable(args: readonly unknown[]): unknown[][] {
  return args.flatMap((arg, index) => [
    args.with(index, UNREADABLE),
    ...fieldsOf(arg).map((field) => args.with(index, { ...Object(arg), [field]: UNREADABLE })),
  ]);
}

function fieldsOf(arg: unknown): string[] {
  return typeof arg === "object" && arg !== null && !(arg instanceof FormData) ? Object.keys(arg) : [];
}

describe.each(await loadActionCases())("$file $name", (example) => {
  it("takes what cannot be read as the caller's mistake", async () => {
    const logged = vi.spyOn(scene.services.log, "error");
    const args = await example.call(scene, scene.members.OWNER);
    for (const given of unreadable(args.length === 0 ? [undefined] : args)) {
      await expect(refusalOf(example, given)).resolves.toBe("A MISTAKE OF THE CALLER");
    }
    expect(
      logged.mock.calls.map(([fields]) => String(Object(fields).err?.stack ?? fields).slice(0, 400)),
    ).toEqual([]);
  });
});

/** Redirects count as an answer. */
async function refusalOf({ send }: ActionCase, args: readonly unknown[]): Promise<string> {
  try {
    await send(args, browser.shown);
  } catch (error) {
    const isRedirect = error instanceof Error && /^NEXT_/.test(error.message);
    const isMistake = error instanceof AppError && error.code === "INVALID_PARAMETERS";
    if (!isRedirect && !isMistake) return error instanceof Error ? error.message : String(error);
  }
  return "A MISTAKE OF THE CALLER";
}
