import { API_BASE_PATH, createApi } from "@/lib/api/http/app";
import { createAuditWriter } from "@/lib/core/audit/audit-writer";
import { createPool } from "@/lib/db/pool";
import { createRealTimeServices } from "@/lib/testing/services";
import type { BenchDatabase } from "@/proof/bench/arrange";
import { type BarePlan, toBareStatement } from "./bare-plan";
import type { Call } from "./calls";
import { noteStatements, type SentStatement } from "./capture";
import type { ListOrganization } from "./scene";

/** What one request of each operation sends to PostgreSQL, noted on the very code that is measured. */
export async function captureCalls(
  database: BenchDatabase,
  { keys, someIds }: Pick<ListOrganization, "keys" | "someIds">,
  calls: readonly (readonly [string, Call])[],
): Promise<BarePlan> {
  const pool = createPool(database.application);
  const sent: SentStatement[] = [];
  const noting = noteStatements(pool, sent);
  const services = createRealTimeServices(noting);
  const api = createApi({ ...services, audit: createAuditWriter(services) });
  const key = keys[0];
  if (!key) throw new Error("There is no key to call with");
  // Before anything is made: what is made in a request is made anew in every other.
  const knownIds = await readKnownIds(database);
  const plan: BarePlan["operations"] = {};
  for (const [name, { method, path, body }] of calls) {
    sent.length = 0;
    const response = await api.request(`${API_BASE_PATH}${path}`, {
      method,
      headers: { Authorization: `Bearer ${key.text}`, "Content-Type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${name} answered ${response.status}: ${await response.text()}`);
    plan[name] = sent.map((statement) => toBareStatement(statement, key.hash));
  }
  await pool.end();
  return {
    keyHashes: keys.map(({ hash }) => hash.toString("hex")),
    knownIds: [...knownIds, ...Object.values(someIds)],
    operations: plan,
  };
}

/** Ids of what stands there before a request, and is the same in every other. */
export async function readKnownIds({ superuser }: BenchDatabase): Promise<string[]> {
  const { rows } = await superuser.query<{ id: string }>(
    `select id from api_keys union all select id from accounts union all select id from beneficiaries
      union all select id from rules union all select id from cards union all select id from users
      union all select id from organizations union all select id from ledgers`,
  );
  return rows.map(({ id }) => id);
}
