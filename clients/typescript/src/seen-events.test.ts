/**
 * The store that the README shows, extracted and run on PostgreSQL: a copy of it handles each event once,
 * in however many processes.
 */
import { readFile } from "node:fs/promises";
import { beforeAll, expect, it } from "vitest";
import { projectPath } from "@/lib/platform/project-path";
import { useTestDatabase } from "@/lib/testing/database";
import type { SeenEvents } from "./index.js";

const database = useTestDatabase();
let seen: SeenEvents;
beforeAll(async () => {
  seen = await readStore();
});

async function readStore(): Promise<SeenEvents> {
  const readme = await readFile(projectPath("clients/typescript/README.md"), "utf8");
  const [, table] = /^\/\/ (create table seen_events .+)$/m.exec(readme) ?? [];
  const statements = [...readme.matchAll(/db\.query\(\s*[`"]([^`"]+)[`"]/g)].map(([, text = ""]) => text);
  const [claim, look, done, fail] = statements;
  if (!table || !claim || !look || !done || !fail || statements.length !== 4)
    throw new Error("The README shows another store");
  const db = database.ownerPool;
  await db.query(table);
  return {
    async begin(id) {
      const claimed = await db.query(claim, [id]);
      if (claimed.rowCount === 1) return "NEW";
      const { rows } = await db.query(look, [id]);
      return rows[0]?.is_done ? "DONE" : "UNDER_WAY";
    },
    done: (id) => db.query(done, [id]).then(() => undefined),
    failed: (id) => db.query(fail, [id]).then(() => undefined),
  };
}

const age = (id: string, interval: string) =>
  database.ownerPool.query("update seen_events set at = at - $2::interval where id = $1", [id, interval]);

it("gives an event to one of twenty that ask at the same moment", async () => {
  const states = await Promise.all(Array.from({ length: 20 }, () => seen.begin("together")));
  expect(states.filter((state) => state === "NEW")).toHaveLength(1);
  expect(states.filter((state) => state === "UNDER_WAY")).toHaveLength(19);
});

it("keeps what is done, also an hour later", async () => {
  expect(await seen.begin("done")).toBe("NEW");
  await seen.done("done");
  await age("done", "1 hour");
  expect(await seen.begin("done")).toBe("DONE");
});

it("gives what failed again", async () => {
  expect(await seen.begin("failed")).toBe("NEW");
  await seen.failed("failed");
  expect(await seen.begin("failed")).toBe("NEW");
});

it("takes a claim over whose process died, and no sooner", async () => {
  expect(await seen.begin("died")).toBe("NEW");
  await age("died", "50 seconds");
  expect(await seen.begin("died")).toBe("UNDER_WAY");
  await age("died", "11 seconds");
  const states = await Promise.all(Array.from({ length: 5 }, () => seen.begin("died")));
  expect(states.filter((state) => state === "NEW")).toHaveLength(1);
});
