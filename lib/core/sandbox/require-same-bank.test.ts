import { expect, test } from "vitest";
import { requireSameBank } from "@/lib/core/sandbox/require-same-bank";
import { openTestDatabase } from "@/lib/testing/database";

const NOW = new Date("2026-01-15T17:00:00.000Z");
const sandbox = { name: "Increase", isSandbox: true };
const production = { name: "Increase", isSandbox: false };

async function arrange() {
  const database = await openTestDatabase();
  const start = (bank: typeof sandbox | null) => requireSameBank(database.pool, bank, NOW);
  return { database, start };
}

test("the built-in bank leaves a database open for any other", async () => {
  const { start } = await arrange();
  await start(null);
  await start(null);
  await start(production);
  await start(production);
});

test.each([
  [sandbox, production, "money in the sandbox of Increase"],
  [production, sandbox, "real money at Increase"],
  [production, null, "real money at Increase"],
  [sandbox, { ...sandbox, name: "Another bank" }, "money in the sandbox of Increase"],
])("a database of %j is not started with %j", async (first, second, named) => {
  const { start } = await arrange();
  await start(first);
  await expect(start(second)).rejects.toThrow(named);
});

test("the application cannot make real money a sandbox's, which would lift all caps", async () => {
  const { database, start } = await arrange();
  await start(production);
  await expect(database.pool.query("update bank_in_use set is_production = false")).rejects.toThrow(
    "permission denied",
  );
  await expect(database.pool.query("delete from bank_in_use")).rejects.toThrow("permission denied");
});
