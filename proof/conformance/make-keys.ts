import type { DemoDescription } from "@/lib/contract/demo";
import type { PermissionInput } from "@/lib/contract/permissions";
import { createApiKey } from "@/lib/core/keys/create-api-key";
import { memberContext } from "@/lib/core/sign-in/member-context";
import { readSession } from "@/lib/core/sign-in/read-session";
import { signInWithPassword } from "@/lib/core/sign-in/sign-in-with-password";
import { openDatabase } from "@/lib/db/database";
import { systemClock } from "@/lib/platform/clock";
import { loadConfig } from "@/lib/platform/config";
import { createLog } from "@/lib/platform/log";
import { createSealer } from "@/lib/platform/seal";

/** All that a key may, with every transfer and run asked for first. */
const EVERYTHING: PermissionInput[] = [
  { type: "READ_ACCOUNTS", accounts: "ALL" },
  { type: "CREATE_ACCOUNTS" },
  { type: "READ_RULES", rules: "ALL" },
  { type: "CREATE_AND_EDIT_RULES", rules: "ALL" },
  { type: "TRIGGER_RULES", rules: "ALL" },
  { type: "READ_TRANSFERS", accounts: "ALL" },
  { type: "MANUAL_TRANSFER", entries: [{ source: "ANY", target: "ANY" }] },
  { type: "READ_AUDIT_LOGS" },
];

/** Makes keys of the demo's owner beside the product that runs on this folder. @returns their texts */
export async function makeKeys(
  dataDirectory: string,
  demo: DemoDescription,
  count: number,
): Promise<string[]> {
  const database = await openDatabase({ config: loadConfig({ SLUICE_DATA_DIR: dataDirectory }) });
  try {
    // The demo's owner has no authenticator app, so nothing is ever opened with this.
    const authenticatorSecrets = createSealer("none", "authenticator secrets");
    const services = {
      pool: database.pool,
      clock: systemClock,
      authenticatorSecrets,
      log: createLog("silent"),
    };
    const context = memberContext(services, await signInOwner(services, demo));
    const texts: string[] = [];
    for (let made = 0; made < count; made++) {
      const input = { name: `conformance-${made}`, permissions: EVERYTHING };
      texts.push((await createApiKey(services, context, input)).text);
    }
    return texts;
  } finally {
    await database.close();
  }
}

async function signInOwner(services: Parameters<typeof signInWithPassword>[0], demo: DemoDescription) {
  const owner = ownerOf(demo);
  const browser = { networkAddress: null, userAgent: "Conformance", browserIds: [] };
  const outcome = await signInWithPassword(services, owner, browser);
  const session = outcome.kind === "SIGNED_IN" ? await readSession(services, outcome.sessionId) : null;
  if (!session) throw new Error("The demo's owner cannot sign in");
  return session;
}

/** Email and password of the demo's owner. */
export function ownerOf(demo: DemoDescription): { email: string; password: string } {
  const owner = demo.members.find(({ role }) => role === "OWNER");
  if (!owner) throw new Error("The demo has no owner");
  return owner;
}
