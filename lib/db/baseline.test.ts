/**
 * A database created by the migrations before the baseline is taken over unchanged: it has the tables of a new one,
 * keeps its rows, and gets the present functions. An older one is refused, naming the version to start first.
 * `migrations-before-baseline.json.gz` holds those migrations as released.
 */
import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { projectPath } from "@/lib/platform/project-path";
import { createEmptyDatabase, type TestDatabase } from "@/lib/testing/database";
import { describeSchema } from "./describe-schema";
import { EMBEDDED_APPLICATION_ROLE } from "./embedded-engine";
import { readFunctionFiles } from "./functions";
import { applyInside, makeMigrationsTable, migrate } from "./migrate";

const fileSchema = z.object({
  number: z.number(),
  name: z.string(),
  sql: z.string(),
  sha256: z.string(),
  isConcurrent: z.boolean(),
});

let database: TestDatabase;
beforeEach(async () => {
  database = await createEmptyDatabase();
});
afterEach(() => database.close());

/** A database as the version before the baseline left it. @param leaveOut how many of its migrations are missing */
async function migrateAsBefore(leaveOut: number): Promise<void> {
  const packed = await readFile(projectPath("lib/testing/fixtures/migrations-before-baseline.json.gz"));
  const files = z.array(fileSchema).parse(JSON.parse(gunzipSync(packed).toString("utf8")));
  await asOwner(async (owner) => {
    await makeMigrationsTable(owner);
    await owner.query("begin");
    for (const file of files.slice(0, files.length - leaveOut))
      await applyInside(owner, file, EMBEDDED_APPLICATION_ROLE);
    await owner.query("insert into throttles values ('kept', now(), 3)");
    await owner.query("commit");
  });
}

const start = () =>
  asOwner((owner) =>
    migrate(owner, {
      schemaDirectory: projectPath("lib/db"),
      applicationRole: EMBEDDED_APPLICATION_ROLE,
    }),
  );

async function asOwner<T>(fn: (owner: pg.Client) => Promise<T>): Promise<T> {
  const owner = new pg.Client(database.ownerConnection);
  await owner.connect();
  try {
    return await fn(owner);
  } finally {
    await owner.end();
  }
}

describe("the baseline", () => {
  it("takes over a database that has every migration it replaces, unchanged", async () => {
    await migrateAsBefore(0);
    await start();
    expect(await start()).toEqual([]);
    const { ownerPool } = database;
    const schema = await readFile(projectPath("lib/db/schema.sql"), "utf8");
    expect(await describeSchema(ownerPool, EMBEDDED_APPLICATION_ROLE)).toBe(schema);
    expect((await ownerPool.query("select attempts from throttles")).rows).toEqual([{ attempts: 3 }]);
    const functions = await readFunctionFiles(projectPath("lib/db/functions"));
    const { rows } = await ownerPool.query<{ text: string }>(
      "select obj_description(oid, 'pg_proc') as text from pg_proc where pronamespace = 'public'::regnamespace",
    );
    const described = rows.map(({ text }) => text);
    expect(
      functions.filter(({ path, sha256 }) => !described.includes(`functions/${path} ${sha256}`)),
    ).toEqual([]);
  });

  it("refuses an older database, names the version to start first, and changes nothing", async () => {
    await migrateAsBefore(1);
    const { ownerPool } = database;
    const before = await describeSchema(ownerPool, EMBEDDED_APPLICATION_ROLE);
    await expect(start()).rejects.toThrow(
      /Start Sluice 0\.1\.0 on it once \(commit \w+, or its release sluice-0\.1\.0-\S+\.tar\.gz\), then this version\. .* Nothing was changed\./,
    );
    expect(await describeSchema(ownerPool, EMBEDDED_APPLICATION_ROLE)).toBe(before);
  });
});
