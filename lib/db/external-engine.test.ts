import { afterAll, beforeAll, expect, test } from "vitest";
import { openExternalEngine } from "@/lib/db/external-engine";
import { createTestDatabase, type TestDatabase } from "@/lib/testing/database";

/** Protects: the start says what is wrong with the database that it was given, before anything is written. */

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

/** @param settings of the session, as `-c name=value` */
function open(settings: string) {
  const { host = "", port, user = "", password } = database.ownerConnection;
  const address = new URL(`postgres://localhost/${database.databaseName}`);
  const parameters = { host, user, options: settings, ...(port && { port: String(port) }) };
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  if (typeof password === "string") address.searchParams.set("password", password);
  return openExternalEngine({
    databaseUrl: address.toString(),
    databaseAppRole: null,
    secret: "s".repeat(32),
    dataDirectory: "",
  });
}

test("a standby is named as one", async () => {
  await database.ownerPool.query("create schema on_standby");
  // What PostgreSQL answers on a standby, since none runs here.
  await database.ownerPool.query(
    "create function on_standby.pg_is_in_recovery() returns boolean language sql return true",
  );
  await expect(open("-c search_path=on_standby,pg_catalog,public")).rejects.toThrow(
    "DATABASE_URL leads to a standby, which takes no writes. Give the address of the primary",
  );
});

test("a database that is read-only for its user is named as that", async () => {
  await expect(open("-c default_transaction_read_only=on")).rejects.toThrow("is read-only");
});
