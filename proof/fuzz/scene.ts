import { randomBytes } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { z } from "zod";
import { type PageFacts, readPageFacts } from "@/e2e/pages/page-facts";
import { hashHookSecret, newHookSecret } from "@/lib/core/rules/authenticate-rule-hook";
import { openEmbeddedEngine } from "@/lib/db/embedded-engine";
import { createPool } from "@/lib/db/pool";
import { systemClock } from "@/lib/platform/clock";
import { dashboardPath } from "@/lib/platform/project-path";
import {
  createOrganizationWithEverything,
  type OrganizationWithEverything,
} from "@/lib/testing/api-proof/organization-with-everything";
import { CANARY } from "@/lib/testing/api-proof/world";
import type { TestDatabase } from "@/lib/testing/database";
import { createRealTimeServices } from "@/lib/testing/services";
import { type ActionCall, makeActionCalls, openAgain } from "@/proof/fuzz/actions";
import { type Keys, makeKeys, type Session, startSessions } from "@/proof/fuzz/callers";

/** What requests are built from: existing organizations, keys, sessions and ids. */
export interface Scene {
  root: string;
  appUrl: string;
  database: TestDatabase;
  own: OrganizationWithEverything;
  /** No one else may see any of it. */
  stranger: OrganizationWithEverything;
  demoId: string;
  keys: Keys;
  /** A client registered at the authorization server. */
  clientId: string;
  /** next-auth's token, without which it refuses. */
  csrf: { cookie: string; token: string };
  hookSecrets: string[];
  receiverToken: string;
  /** Addresses of the build's output. */
  staticFiles: string[];
  /** The rest changes when the scene is refreshed. */
  sessions: Session[];
  actions: ActionCall[];
  /** The organization in which the actions have something to act on. */
  actionSessions: Session[];
  facts: PageFacts[];
  refresh(): Promise<void>;
  close(): Promise<void>;
}

/** Actions use up their subjects; all are created again after so many rounds. */
const ROUNDS_OF_ACTIONS = 5;

/** Joins the database of a product that runs on this folder, and arranges data to request. */
export async function openScene(root: string, dataDirectory: string, appUrl: string): Promise<Scene> {
  const database = await joinDatabase(dataDirectory);
  const secret = (await readFile(join(dataDirectory, "secret"), "utf8")).trim();
  const services = { ...createRealTimeServices(database.pool, secret), appUrl };
  const demoId = await onlyOrganization(database);
  const own = await createOrganizationWithEverything(database, services, "NORTH");
  const stranger = await createOrganizationWithEverything(database, services, CANARY);
  for (const role of ["CO_OWNER", "ACCOUNTANT", "VIEWER"] as const) await own.addMember(role, role);
  const organizationIds = [demoId, own.organizationId];
  let acting: Awaited<ReturnType<typeof makeActionCalls>> = { organizationId: demoId, calls: [] };
  let refreshments = 0;
  const scene: Scene = {
    root,
    appUrl,
    database,
    own,
    stranger,
    demoId,
    keys: await makeKeys(database, services, own, stranger, appUrl),
    clientId: await registerClient(appUrl),
    csrf: await readCsrf(appUrl),
    hookSecrets: await makeHooks(database, own),
    receiverToken: await makeReceiver(database, own),
    staticFiles: await listStaticFiles(),
    sessions: [],
    actions: [],
    actionSessions: [],
    facts: [],
    refresh: async () => {
      if (refreshments % ROUNDS_OF_ACTIONS === 0) acting = await makeActionCalls(database, services);
      refreshments += 1;
      const all = [...organizationIds, acting.organizationId];
      // Throttled callers reach nothing more; throttling itself shows between two refreshes.
      await database.ownerPool.query("delete from throttles");
      await openAgain(database, all);
      scene.actions = acting.calls;
      scene.sessions = await startSessions(database, organizationIds, secret);
      scene.actionSessions = await startSessions(database, [acting.organizationId], secret);
      scene.facts = await Promise.all(all.map((id) => readPageFacts(database.ownerPool, id)));
    },
    close: () => database.close(),
  };
  await scene.refresh();
  return scene;
}

async function joinDatabase(dataDirectory: string): Promise<TestDatabase> {
  const engine = await openEmbeddedEngine({ dataDirectory });
  const pool = createPool(engine.application, { max: 4 });
  const ownerPool = createPool(engine.owner, { max: 2 });
  return {
    pool,
    ownerPool,
    ownerConnection: engine.owner,
    databaseName: engine.owner.database ?? "",
    close: async () => {
      await Promise.all([pool.end(), ownerPool.end()]);
      await engine.leave();
    },
  };
}

async function onlyOrganization({ ownerPool }: TestDatabase): Promise<string> {
  const { rows } = await ownerPool.query<{ id: string }>("select id from organizations");
  const [row] = rows;
  if (!row || rows.length > 1) throw new Error("The fuzz runs only on a new demo organization");
  return row.id;
}

async function registerClient(appUrl: string): Promise<string> {
  const response = await fetch(`${appUrl}/oauth/register`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({
      client_name: "Fuzz",
      redirect_uris: ["https://client.example/callback"],
      token_endpoint_auth_method: "none",
    }),
  });
  return z.object({ client_id: z.string() }).parse(await response.json()).client_id;
}

async function readCsrf(appUrl: string): Promise<Scene["csrf"]> {
  const response = await fetch(`${appUrl}/api/auth/csrf`);
  const { csrfToken } = z.object({ csrfToken: z.string() }).parse(await response.json());
  const cookie = response.headers
    .getSetCookie()
    .map((line) => line.split(";", 1)[0])
    .join("; ");
  return { cookie, token: csrfToken };
}

async function makeHooks(
  { ownerPool }: TestDatabase,
  { organizationId, ids, owner }: OrganizationWithEverything,
): Promise<string[]> {
  const secrets: string[] = [];
  for (const ruleId of [ids.rule, ids.otherRule]) {
    const secret = newHookSecret();
    await ownerPool.query(
      `insert into rule_hooks (organization_id, rule_id, secret_hash, secret_last4, created_by, created_at)
       values ($1, $2, $3, $4, $5, $6)`,
      [organizationId, ruleId, hashHookSecret(secret), secret.slice(-4), owner.actor.id, systemClock.now()],
    );
    secrets.push(secret);
  }
  return secrets;
}

async function makeReceiver(
  { ownerPool }: TestDatabase,
  { organizationId }: OrganizationWithEverything,
): Promise<string> {
  const token = randomBytes(16).toString("hex");
  await ownerPool.query(
    "insert into sandbox_receivers (organization_id, token, mode, created_at) values ($1, $2, 'OK', $3)",
    [organizationId, token, systemClock.now()],
  );
  return token;
}

const MOST_STATIC_FILES = 60;

async function listStaticFiles(): Promise<string[]> {
  const folder = dashboardPath("static");
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => `/_next/static/${relative(folder, join(entry.parentPath, entry.name))}`)
    .sort()
    .slice(0, MOST_STATIC_FILES);
}
