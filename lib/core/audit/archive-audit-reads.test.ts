import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { archiveAuditReads } from "@/lib/core/audit/archive-audit-reads";
import { genesisHash } from "@/lib/core/audit/audit-digest";
import { exportAuditLog } from "@/lib/core/audit/export-audit-log";
import { sealAuditEntries } from "@/lib/core/audit/seal-audit-entries";
import { verifyAuditLog } from "@/lib/core/audit/verify-audit-log";
import { newId } from "@/lib/platform/ids";
import { projectPath } from "@/lib/platform/project-path";
import { testEntry, writeEntries } from "@/lib/testing/audit";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";

const DAY_MS = 86_400_000;
/** The program that third parties get. */
const CHECK = join(dirname(projectPath("package.json")), "clients/verify-audit-export.mjs");
const READ = {};
const CHANGE = { method: "POST", path: "/platform/v1/transfers", action: "CREATE_TRANSFER" };
const REFUSAL = { outcome: "FAILURE", errorCode: "ACCESS_DENIED" } as const;

const database = useTestDatabase();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sluice-archives-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

/** An organization whose log began in January 2024, with an entry a day: read, read, change, refusal, … */
async function arrange(days: number, kinds: readonly object[] = [READ, READ, CHANGE, REFUSAL]) {
  const { services, clock } = createTestServices(database);
  clock.set(new Date("2024-01-10T12:00:00.000Z"));
  const { organizationId } = await createTestOrganization(database, services);
  for (let day = 0; day < days; day += 1) {
    const at = clock.now();
    await writeEntries(database.pool, [
      testEntry(services, organizationId, {
        id: newId(at),
        reason: `day ${day}`,
        ...kinds[day % kinds.length],
      }),
    ]);
    await sealAuditEntries(services, 100);
    clock.advance(DAY_MS);
  }
  const directory = join(folder, organizationId);
  /** How many stretches of this organization's chain are archived then. */
  const archive = async () => {
    await archiveAuditReads(services, { directory, readsDays: 400 });
    const { rows } = await database.pool.query<{ count: number }>(
      "select count(*)::int as count from audit_archives where organization_id = $1",
      [organizationId],
    );
    return rows[0]?.count;
  };
  const verify = (archives: string | null = directory) =>
    verifyAuditLog(database.pool, organizationId, null, { archives });
  const reasons = async () => {
    const { rows } = await database.pool.query<{ reason: string }>(
      "select reason from audit_entries where organization_id = $1 order by id",
      [organizationId],
    );
    return rows.map(({ reason }) => Number(reason.slice("day ".length)));
  };
  return { services, clock, organizationId, directory, archive, verify, reasons };
}

/** Before its second query of this name, something else happens. */
function pausingPool(pool: pg.Pool, name: string, meanwhile: () => Promise<unknown>): pg.Pool {
  let seen = 0;
  const pausing = <T extends pg.Pool | pg.PoolClient>(database: T): T =>
    new Proxy(database, {
      get: (target, key) => {
        const value: unknown = Reflect.get(target, key);
        if (key === "connect") return async () => pausing(await pool.connect());
        if (key !== "query") return typeof value === "function" ? value.bind(target) : value;
        return async (...args: unknown[]) => {
          const [query] = args;
          const isNamed =
            typeof query === "object" && query !== null && "name" in query && query.name === name;
          if (isNamed) seen += 1;
          if (isNamed && seen === 2) await meanwhile();
          return await Reflect.apply(target.query, target, args);
        };
      },
    });
  return pausing(pool);
}

function check(path: string) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [CHECK, path], { encoding: "utf8" });
  return { status, stated: stdout + stderr };
}

/** What a file holds before compression; null if it is damaged. */
function linesOf(bytes: Buffer): Buffer | null {
  try {
    return gunzipSync(bytes);
  } catch {
    return null;
  }
}

describe("the archive of reads", () => {
  it("takes successful reads of whole months that are old enough, and the chain still verifies", async () => {
    const { clock, archive, verify, reasons } = await arrange(40);
    const before = await verify();
    expect(before).toMatchObject({ count: 40, problems: [] });
    // Not yet all of January.
    clock.set(new Date("2025-03-06T11:00:00.000Z"));
    expect(await archive()).toBe(0);
    clock.set(new Date("2025-03-08T12:00:00.000Z"));
    expect(await archive()).toBe(1);
    expect(await archive()).toBe(1);
    // Days 0 to 21 are of January.
    const kept = Array.from({ length: 40 }, (_, day) => day).filter((day) => day > 21 || day % 4 > 1);
    expect(await reasons()).toEqual(kept);
    expect(await verify()).toEqual(before);
    clock.set(new Date("2025-05-08T12:00:00.000Z"));
    expect(await archive()).toBe(2);
    expect(await verify()).toEqual(before);
  });

  it("is off unless a time is set", async () => {
    const { services, clock, directory, reasons } = await arrange(4);
    clock.set(new Date("2026-01-01T00:00:00.000Z"));
    expect(await archiveAuditReads(services, { directory, readsDays: null })).toBe(0);
    expect(await reasons()).toHaveLength(4);
  });

  it("gives the whole log in an export, as before", async () => {
    const { clock, organizationId, directory, archive } = await arrange(9);
    const read = async () => {
      const lines: string[] = [];
      for await (const line of await exportAuditLog(database.pool, organizationId, directory))
        lines.push(line);
      return lines;
    };
    const before = await read();
    clock.set(new Date("2026-01-01T00:00:00.000Z"));
    expect(await archive()).toBe(1);
    expect(await read()).toEqual(before);
    await rm(directory, { recursive: true });
    await expect(read()).rejects.toThrow("missing or altered");
  });

  it("is verified by a third party, file by file", async () => {
    const { clock, organizationId, directory, archive, verify } = await arrange(9);
    const { head } = await verify();
    clock.set(new Date("2026-01-01T00:00:00.000Z"));
    await archive();
    const path = join(directory, organizationId, "1-9.jsonl.gz");
    expect(check(path)).toEqual({
      status: 0,
      stated: `${organizationId}\nsequences 1 to 9 after ${genesisHash(organizationId)}: 5 entries, unaltered and in order\nhead ${head}\n`,
    });
    const lines = gunzipSync(await readFile(path)).toString("utf8");
    for (const [from, to] of [
      ['"reason":"day 4"', '"reason":"day 5"'],
      ['"sequence":9', '"sequence":10'],
      ['"count":9', '"count":8'],
      [/\{"sequence":3.*\n/, ""],
    ] as const) {
      expect(lines).toMatch(from);
      await writeFile(path, gzipSync(lines.replace(from, to)));
      expect(check(path)).toMatchObject({ status: 1, stated: expect.stringMatching(/^line \d+: /) });
    }
    await writeFile(path, gzipSync(lines).subarray(0, -20));
    expect(check(path)).toMatchObject({ status: 1 });
  });

  it("records a stretch without reads, and goes on behind it", async () => {
    const { clock, organizationId, directory, archive, verify, reasons } = await arrange(60, [CHANGE]);
    clock.set(new Date("2026-01-01T00:00:00.000Z"));
    expect(await archive()).toBe(1);
    expect(await archive()).toBe(1);
    expect(await reasons()).toHaveLength(60);
    expect(await verify()).toMatchObject({ problems: [] });
    await expect(readdir(join(directory, organizationId))).rejects.toThrow("ENOENT");
  });

  it("keeps an entry that is not what was sealed: it is evidence", async () => {
    const { clock, organizationId, archive, verify, reasons } = await arrange(4);
    await database.ownerPool.query("alter table audit_entries disable trigger audit_entries_append_only");
    await database.ownerPool.query(
      "update audit_entries set reason = 'day 7' where organization_id = $1 and reason = 'day 0'",
      [organizationId],
    );
    await database.ownerPool.query("alter table audit_entries enable trigger audit_entries_append_only");
    clock.set(new Date("2026-01-01T00:00:00.000Z"));
    expect(await archive()).toBe(1);
    expect(await reasons()).toEqual([7, 2, 3]);
    expect((await verify()).problems).toEqual([expect.stringContaining("is not the one that was sealed")]);
  });

  it("names a file that is missing or was altered, once", async () => {
    const { clock, organizationId, directory, archive, verify } = await arrange(9);
    clock.set(new Date("2026-01-01T00:00:00.000Z"));
    await archive();
    const path = join(directory, organizationId, "1-9.jsonl.gz");
    const bytes = await readFile(path);
    expect((await verify(null)).problems).toEqual([expect.stringContaining("is missing")]);
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), async (at, by) => {
        const altered = Buffer.from(bytes);
        altered[at] = (bytes[at] ?? 0) ^ by;
        await writeFile(path, altered);
        const { problems } = await verify();
        // Some bits of gzip's header, and those that fill up the last byte of the data, mean nothing.
        const isTheSame = linesOf(altered)?.equals(gunzipSync(bytes)) ?? false;
        if (isTheSame) expect(problems).toEqual([]);
        else expect(problems).toEqual([expect.stringContaining("is not the file that was written")]);
      }),
      // The last byte of the data, before the check sum and the length.
      { numRuns: 30, examples: [[bytes.length - 9, 128]] },
    );
    await rm(path);
    await mkdir(path);
    expect((await verify()).problems).toEqual([expect.stringContaining("cannot be read")]);
    await rm(path, { recursive: true });
    await writeFile(path, bytes);
    expect((await verify()).problems).toEqual([]);
  });

  it("survives a file that was written before a crash, and two workers at once", async () => {
    const { clock, organizationId, directory, archive, verify } = await arrange(12);
    const before = await verify();
    clock.set(new Date("2026-01-01T00:00:00.000Z"));
    await mkdir(join(directory, organizationId), { recursive: true });
    await writeFile(join(directory, organizationId, "1-12.jsonl.gz"), "of a process that was killed");
    const results = await Promise.allSettled([archive(), archive(), archive()]);
    expect(results.map(({ status }) => status)).toContain("fulfilled");
    expect(await archive()).toBe(1);
    expect(await readdir(join(directory, organizationId))).toEqual(["1-12.jsonl.gz"]);
    expect(await verify()).toEqual(before);
  });

  it("loses nothing to a worker that reads while another one archives the same stretch", async () => {
    const { services, clock, organizationId, directory, archive, verify } = await arrange(1);
    // More than a page of seals, all of one moment.
    const entries = Array.from({ length: 1_200 }, (_, place) =>
      testEntry(services, organizationId, { reason: `day ${place + 1}` }),
    );
    await writeEntries(database.pool, entries);
    while ((await sealAuditEntries(services, 1_000)) > 0);
    const before = await verify();
    clock.set(new Date("2026-01-01T00:00:00.000Z"));
    const slow = pausingPool(database.pool, "read_seals", archive);
    await archiveAuditReads({ ...services, pool: slow }, { directory, readsDays: 400 });
    expect(await archive()).toBe(1);
    expect(await verify()).toEqual(before);
  });

  it("does not stop at one organization whose folder cannot be written", async () => {
    const blocked = await arrange(4);
    const other = await arrange(4);
    const directory = join(folder, "shared");
    await mkdir(directory);
    await writeFile(join(directory, blocked.organizationId), "");
    blocked.clock.set(new Date("2026-01-01T00:00:00.000Z"));
    await expect(archiveAuditReads(blocked.services, { directory, readsDays: 400 })).rejects.toThrow(
      "were not archived",
    );
    expect(await blocked.reasons()).toHaveLength(4);
    expect(await other.reasons()).toEqual([2, 3]);
    await rm(join(directory, blocked.organizationId));
    await archiveAuditReads(blocked.services, { directory, readsDays: 400 });
    expect(await blocked.reasons()).toEqual([2, 3]);
  });
});

describe("the database", () => {
  const remove = (organizationId: string, where: string) =>
    database.ownerPool.query(`delete from audit_entries where organization_id = $1 and ${where}`, [
      organizationId,
    ]);

  it("refuses its owner the removal of a read that is in no archive", async () => {
    const { organizationId, reasons } = await arrange(4);
    await expect(remove(organizationId, "method = 'GET'")).rejects.toThrow("append only: DELETE refused");
    expect(await reasons()).toHaveLength(4);
  });

  it.each([
    ["change", "method = 'POST'"],
    ["refusal", "outcome = 'FAILURE'"],
  ])("refuses its owner the removal of a %s in an archived stretch", async (_kind, where) => {
    const { clock, organizationId, archive, reasons } = await arrange(4);
    clock.set(new Date("2026-01-01T00:00:00.000Z"));
    await archive();
    await expect(remove(organizationId, where)).rejects.toThrow("append only: DELETE refused");
    expect(await reasons()).toEqual([2, 3]);
  });

  it("refuses to archive a read of the last 400 days, whatever the caller says of the time", async () => {
    const { services, clock } = createTestServices(database);
    clock.set(new Date(Date.now() - 399 * DAY_MS));
    const { organizationId } = await createTestOrganization(database, services);
    await writeEntries(database.pool, [testEntry(services, organizationId, { reason: "young" })]);
    await sealAuditEntries(services, 100);
    clock.advance(1_000 * DAY_MS);
    const archive = archiveAuditReads(services, { directory: join(folder, "young"), readsDays: 400 });
    const failure: unknown = await archive.then(
      () => null,
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(AggregateError);
    expect(String((failure as AggregateError).errors[0])).toContain("append only");
    expect(await verifyAuditLog(database.pool, organizationId)).toMatchObject({ count: 1, problems: [] });
  });
});
