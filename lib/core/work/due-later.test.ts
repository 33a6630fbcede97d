/** What is due later, such as digests and reminders, piles up; every look for due work would read all of it. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { claimNotices } from "@/lib/core/notifications/claim-notices";
import type { Queryable } from "@/lib/db/transaction";
import { projectPath } from "@/lib/platform/project-path";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";

/** A column that is compared with its organization's business time; columns of organizations have no index to bound. */
const BY_OWN_CLOCK =
  /\b(?!o\.)(\w+\.\w+) <= (?:\$1::timestamptz|p_now) \+ \(?\s*(?:select )?o\.clock_offset_ms/g;
const LATER = 300;
const BURST = 3_000;
const HOUR_MS = 3_600_000;

const database = useTestDatabase();

test("a look for due notices does not read those that are due later", async () => {
  const { services, clock } = createTestServices(database);
  const { organizationId } = await createTestOrganization(database, services);
  await database.ownerPool.query(
    `insert into notices (organization_id, id, kind, subject_id, created_at, due_at)
       select $1, gen_random_uuid(), 'KEY_CREATED', gen_random_uuid(), $2,
           $2::timestamptz + case when n = 1 then interval '0' else interval '1 hour' end
         from generate_series(1, $3::integer) n`,
    [organizationId, clock.now(), LATER],
  );
  const look = (client: Queryable) => claimNotices(client, clock.now(), 10);
  const { found, read } = await readFrom("notices", look);
  expect(found).toHaveLength(1);
  expect(read).toBeLessThan(10);

  // Of an organization whose clock is ahead all are due.
  await database.ownerPool.query("update organizations set clock_offset_ms = $2 where id = $1", [
    organizationId,
    HOUR_MS,
  ]);
  expect((await readFrom("notices", look)).found).toHaveLength(10);
});

test("a claim of notices does not read all that are due, however many wait", async () => {
  const { services, clock } = createTestServices(database);
  const { organizationId } = await createTestOrganization(database, services);
  // The planner knows of an empty queue, as before a burst of proposals.
  await database.ownerPool.query("delete from notices");
  await database.ownerPool.query("vacuum analyze notices");
  await database.ownerPool.query(
    `insert into notices (organization_id, id, kind, subject_id, created_at, due_at)
       select $1, gen_random_uuid(), 'KEY_CREATED', gen_random_uuid(), at, at
         from generate_series(1, $3::integer) n
        cross join lateral (select $2::timestamptz - n * interval '1 second' as at) each`,
    [organizationId, clock.now(), BURST],
  );
  const { found, read } = await readFrom("notices", (client) => claimNotices(client, clock.now(), 10));
  const waited = found.map(({ createdAt }) => clock.now().getTime() - createdAt.getTime());
  expect(waited).toEqual(Array.from({ length: 10 }, (_, place) => (BURST - place) * 1_000));
  // The order by id reads one batch of ties ahead.
  expect(read).toBeLessThan(100);
});

test("every look for due work is bounded by the latest clock of all organizations", () => {
  const looks = ["lib/core", "lib/db/functions"].flatMap((folder) =>
    readdirSync(projectPath(folder), { recursive: true, encoding: "utf8" })
      .filter((path) => /(?<!\.test)\.(ts|sql)$/.test(path))
      .flatMap((path) => {
        const text = readFileSync(projectPath(join(folder, path)), "utf8");
        const columns = [...text.matchAll(BY_OWN_CLOCK)].map(([, column = ""]) => column);
        // As many bounds as looks: another look of the same file does not bound this one.
        return columns.map((column) => ({
          look: `${path}: ${column}`,
          isBounded:
            text.split(`${column} <= (select latest_business_time(`).length >
            columns.filter((one) => one === column).length,
        }));
      }),
  );
  expect(looks.length).toBeGreaterThan(10);
  expect(looks.filter(({ isBounded }) => !isBounded)).toEqual([]);
});

/** What a look finds, and the rows of the table that it reads; it is rolled back. */
async function readFrom<Found>(
  table: string,
  look: (client: Queryable) => Promise<Found>,
): Promise<{ found: Found; read: number }> {
  const client = await database.pool.connect();
  try {
    await client.query("begin");
    // A scan is cheaper while the table is this small.
    await client.query("set local enable_seqscan = off");
    const before = await countReads(client, table);
    const found = await look(client);
    return { found, read: (await countReads(client, table)) - before };
  } finally {
    await client.query("rollback");
    client.release();
  }
}

/** Of this connection, since it last reported them. */
async function countReads(client: Queryable, table: string): Promise<number> {
  const { rows } = await client.query<{ read: number }>(
    `select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as read from pg_stat_xact_user_tables where relname = $1`,
    [table],
  );
  return rows[0]?.read ?? 0;
}
