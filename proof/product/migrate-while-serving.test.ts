/**
 * A new version migrates while the old one serves: a real product answers a load of transfers while migrations of every
 * allowed kind are applied beside it. No request fails, and every cent is where it should be.
 */
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openEmbeddedEngine } from "@/lib/db/embedded-engine";
import { createPool } from "@/lib/db/pool";
import { prepareDatabase } from "@/lib/db/prepare-database";
import { projectPath } from "@/lib/platform/project-path";
import { moveAnything } from "@/lib/testing/api";
import { CarefulClient } from "@/lib/testing/careful-client";
import { auditBooks } from "@/lib/testing/conservation";
import { type BuiltProgram, buildProgram } from "@/lib/testing/embedded-process";
import { createTestOrganization } from "@/lib/testing/organization";
import { findFreePort, removeDataDirectory, startProduct } from "@/lib/testing/product-process";
import { findServingProblems } from "@/lib/testing/rules/serving-rules";
import { createRealTimeServices } from "@/lib/testing/services";
import { waitUntil } from "@/lib/testing/wait-until";

/** What a next version may contain (docs/backup.md), on the tables that every request uses. */
const NEXT_VERSION = {
  "9001_columns.sql": `
    alter table transfers add column next_version_note text, add column next_version_count integer not null default 0;
    alter table entries add column next_version_note text;
    alter table ledgers add column next_version_note text;
    alter table api_keys add column next_version_note text;
    alter table accounts add column next_version_note text;
    alter table idempotency_results add column next_version_note text;
    alter table audit_entries add column next_version_note text;`,
  "9002_checks.sql": `
    alter table transfers add constraint next_version_counts check (next_version_count >= 0) not valid;
    create table next_version (id integer primary key, at timestamptz not null);
    create index next_version_by_time on next_version (at);
    grant select, insert on next_version to :"app_role";`,
  "9003_validated.sql": "alter table transfers validate constraint next_version_counts;",
  "9004_index.sql":
    "-- outside a transaction: transfers is large\ncreate index concurrently next_version_by_count on transfers (organization_id, next_version_count);",
  "9005_trigger.sql": `
    create function next_version_noted() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
    begin
      new.next_version_note := 'written since';
      return new;
    end $$;
    create trigger transfers_next_version before insert on transfers for each row execute function next_version_noted();`,
};
const ANSWERS_EACH_SIDE = 60;
const KEYS = 60;

let folder: string;
let program: BuiltProgram;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sluice-next-"));
  program = await buildProgram("lib/testing/product-process-main.ts");
});
afterAll(async () => {
  await program.remove();
  await removeDataDirectory(join(folder, "data"));
  await rm(folder, { recursive: true, force: true });
});

describe("migrations while the old version serves", () => {
  it("fail no request and move no cent; the old version then no longer starts, and says why", {
    timeout: 180_000,
  }, async () => {
    const dataDirectory = join(folder, "data");
    const engine = await openEmbeddedEngine({ dataDirectory, fsync: false });
    await prepareDatabase(engine);
    const [pool, ownerPool] = [createPool(engine.application), createPool(engine.owner)];
    const { organizationId, client } = await arrange({ pool, ownerPool });
    const next = await addNextVersion();
    const options = { program: program.path, dataDirectory, port: await findFreePort() };
    const product = await startProduct(options);
    try {
      const stop = new AbortController();
      const load = client.load(product.apiUrl, stop.signal);
      const answered = (count: number) =>
        Promise.race([load, waitUntil("the load is running", () => client.answers.size >= count, 60_000)]);
      await answered(ANSWERS_EACH_SIDE);
      expect(await prepareDatabase(engine, { schemaDirectory: next })).toEqual(Object.keys(NEXT_VERSION));
      await answered(client.answers.size + ANSWERS_EACH_SIDE);
      stop.abort();
      await load;
      expect(client.unclearRequests).toBe(0);
      await waitUntil("everything is booked", async () => {
        const { rowCount } = await pool.query("select from transfers where status = 'PROCESSING' limit 1");
        return rowCount === 0;
      });
      const { rows } = await ownerPool.query<{ booked: number; noted: number }>(
        "select count(*)::int as booked, count(next_version_note)::int as noted from transfers where status = 'COMPLETE' and proposed_by_kind = 'API_KEY'",
      );
      expect(rows[0]?.booked).toBe(client.intents);
      expect(rows[0]?.noted).toBeGreaterThanOrEqual(ANSWERS_EACH_SIDE);
      expect(await auditBooks({ ownerPool }, organizationId)).toMatchObject({
        wrongLedgers: [],
        negative: [],
        wrongHolds: [],
      });
    } finally {
      await product.kill();
      await Promise.all([pool.end(), ownerPool.end()]);
    }
    await expect(startProduct(options)).rejects.toThrow(
      /newer Sluice \(9001_columns\.sql\): start that version/,
    );
    await engine.leave();
  });
});

async function arrange(database: Parameters<typeof createTestOrganization>[0]) {
  const organization = await createTestOrganization(database, createRealTimeServices(database.pool));
  const add = (name: string) => organization.addAccount({ name, type: "POD", balanceInCents: 50_000_000 });
  const [sourceAccountId, destinationAccountId] = [await add("Operating"), await add("Taxes")];
  const keys: string[] = [];
  for (let made = 0; made < KEYS; made++) keys.push((await organization.addKey([moveAnything(false)])).text);
  const planned = { sourceAccountId, destinationAccountId, amountInCents: 101, keyGroup: "all" };
  return {
    organizationId: organization.organizationId,
    client: new CarefulClient(() => planned, { all: keys }),
  };
}

/** The existing files, and those of a next version, which follow the rules of serving. */
async function addNextVersion(): Promise<string> {
  const next = join(folder, "schema");
  for (const part of ["migrations", "functions"])
    await cp(projectPath(`lib/db/${part}`), join(next, part), { recursive: true });
  for (const [name, sql] of Object.entries(NEXT_VERSION)) {
    expect(findServingProblems({ name, sql })).toEqual([]);
    await writeFile(join(next, "migrations", name), sql);
  }
  return next;
}
