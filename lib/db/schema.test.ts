import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { projectPath } from "@/lib/platform/project-path";
import { useTestDatabase } from "@/lib/testing/database";
import { describeSchema } from "./describe-schema";
import { EMBEDDED_APPLICATION_ROLE } from "./embedded-engine";

const database = useTestDatabase();

it("schema.sql is what the migrations make: after a change of them, run `npm run db:schema`", async () => {
  const schema = await describeSchema(database.ownerPool, EMBEDDED_APPLICATION_ROLE);
  expect(await readFile(projectPath("lib/db/schema.sql"), "utf8")).toBe(schema);
});

it("every constraint is validated against existing rows", async () => {
  const { rows } = await database.ownerPool.query(
    "select conrelid::regclass::text as table, conname as name from pg_constraint where not convalidated",
  );
  expect(rows).toEqual([]);
});
