import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { createClient } from "@/lib/db/client";
import { openExternalEngine } from "@/lib/db/external-engine";
import { createPool } from "@/lib/db/pool";
import { startRawServer } from "@/lib/testing/servers/raw-server";
import { waitUntil } from "@/lib/testing/wait-until";
import { type ServerPair, startServerPair } from "@/proof/failover/server-pair";

/** Protects: connections to a list of hosts are to the primary, say why if there is none, and follow it. */

let pair: ServerPair;
beforeAll(async () => {
  pair = await startServerPair({ isSynchronous: false });
});
afterAll(() => pair?.close());

const address = (...ports: number[]) =>
  `postgres://sluice:owner-password@${ports.map((port) => `127.0.0.1:${port}`).join()}/sluice`;
const engineOf = (databaseUrl: string) =>
  openExternalEngine({ databaseUrl, databaseAppRole: null, secret: "s".repeat(32), dataDirectory: "" });
const UNUSED = 1;

test("whatever the order, it is the primary; a server that is down is passed over", async () => {
  for (const ports of [
    [pair.standby.port, pair.primary.port],
    [UNUSED, pair.primary.port],
    [pair.primary.port, UNUSED],
  ]) {
    const client = createClient({ connectionString: address(...ports) });
    await client.connect();
    expect(client.port).toBe(pair.primary.port);
    expect((await client.query("select pg_is_in_recovery() as standby")).rows).toEqual([{ standby: false }]);
    await client.end();
  }
});

test("without a primary each host is named with its reason, and without the password", async () => {
  const failure = engineOf(address(pair.standby.port, UNUSED));
  await expect(failure).rejects.toThrow(
    new RegExp(
      `none of the hosts is a primary:\\n(.*\\n)?  127\\.0\\.0\\.1:${pair.standby.port} is a standby(.|\\n)*`,
    ),
  );
  await expect(failure).rejects.toThrow("127.0.0.1:1 accepts no connection: connect ECONNREFUSED");
  await expect(failure).rejects.not.toThrow("owner-password");
});

test("a wrong password is not worth waiting for", async () => {
  const wrong = address(pair.primary.port, pair.standby.port).replace("owner-password", "another");
  const engine = openExternalEngine(
    { databaseUrl: wrong, databaseAppRole: null, secret: "s".repeat(32), dataDirectory: "" },
    { waitMs: 3_600_000 },
  );
  await expect(engine).rejects.toThrow("password authentication failed");
});

test("a start names each host that could not take over, and no standby", async () => {
  const warnings: unknown[] = [];
  const log = { warn: (facts: unknown) => void warnings.push(facts) };
  const open = (databaseUrl: string) =>
    openExternalEngine(
      { databaseUrl, databaseAppRole: null, secret: "s".repeat(32), dataDirectory: "" },
      { log },
    );
  await open(address(pair.standby.port, pair.primary.port));
  expect(warnings).toEqual([]);
  await open(address(pair.primary.port, pair.standby.port, UNUSED));
  expect(warnings).toEqual([
    { reasons: ["127.0.0.1:1 accepts no connection: connect ECONNREFUSED 127.0.0.1:1"] },
  ]);
});

test("one host that leaves a connection unanswered is waited for, and named as that", async () => {
  const silent = await startRawServer(() => undefined);
  onTestFinished(() => silent.close());
  const warnings: unknown[] = [];
  const engine = openExternalEngine(
    {
      databaseUrl: `${address(silent.port)}?connect_timeout=1`,
      databaseAppRole: null,
      secret: "s".repeat(32),
      dataDirectory: "",
    },
    { waitMs: 2_000, log: { warn: (facts: unknown) => void warnings.push(facts) } },
  );
  await expect(engine).rejects.toThrow("the server did not answer within 1 s");
  expect(warnings).toMatchObject([{ reason: "the server did not answer within 1 s" }]);
});

test("an address without a database means the same one to both roles", async () => {
  const own = address(pair.primary.port, pair.standby.port).replace(/\/sluice$/, "");
  const engine = await engineOf(own);
  expect(engine.application.connectionString).toContain("/sluice?");
});

test("the one address of a standby is refused as such", async () => {
  await expect(engineOf(address(pair.standby.port))).rejects.toThrow(
    "it is a standby, which takes no writes",
  );
});

/** What a server sends that accepts a connection and ends at once, in one piece. */
const ACCEPTED_AND_ENDED = Buffer.concat([
  message("R", Buffer.alloc(4)),
  message("Z", Buffer.from("I")),
  message("E", Buffer.from("SFATAL\0C57P01\0Mterminating connection due to unexpected postmaster exit\0\0")),
]);

function message(kind: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(content.length + 4);
  return Buffer.concat([Buffer.from(kind), length, content]);
}

test("a server that ends as it accepts a connection refuses it, and ends no process", async () => {
  const server = await startRawServer((socket) => socket.once("data", () => socket.end(ACCEPTED_AND_ENDED)));
  onTestFinished(() => server.close());
  const connection = { connectionString: address(server.port) };
  await expect(createClient(connection).connect()).rejects.toThrow("unexpected postmaster exit");
  const pool = createPool(connection);
  await expect(pool.connect()).rejects.toThrow("unexpected postmaster exit");
  await pool.end();
});

test("a connection beside the pool that is lost between two queries fails its next one, and ends no process", async () => {
  const client = createClient({ connectionString: address(pair.primary.port) });
  await client.connect();
  const { rows } = await client.query("select pg_backend_pid() as pid");
  const lost = new Promise((resolve) => client.connection.once("end", resolve));
  await pair.primary.ask(`select pg_terminate_backend(${Object(rows[0]).pid})`);
  await lost;
  await expect(client.query("select 1")).rejects.toThrow("not queryable");
});

test("a server that becomes read-only is left as soon as a transaction is over", async () => {
  const client = createClient({ connectionString: address(pair.primary.port) });
  client.on("error", () => undefined);
  await client.connect();
  let hasEnded = false;
  client.once("end", () => {
    hasEnded = true;
  });
  onTestFinished(async () => {
    await pair.primary.ask("alter system reset default_transaction_read_only");
    await pair.primary.ask("select pg_reload_conf()");
  });
  await pair.primary.ask("alter system set default_transaction_read_only = on");
  await pair.primary.ask("select pg_reload_conf()");
  // A server reads its settings again when it comes to it.
  await waitUntil("the connection is closed", async () => {
    await client.query("select 1").catch(() => undefined);
    return hasEnded;
  });
});

test("a pool follows the promotion while the former primary still answers, and never goes back", async () => {
  const pool = createPool({ connectionString: pair.databaseUrl });
  onTestFinished(() => pool.end());
  const port = async () => {
    const { rows } = await pool.query<{ port: number }>(
      "select current_setting('port')::int as port, pg_sleep(0)",
    );
    return rows[0]?.port;
  };
  const before = await port();
  await pair.promote();
  // Nothing is late yet, so nothing asks: the answer of the former primary still comes.
  expect(await port()).toBe(before);
  void pool.query("select pg_sleep(8)").catch(() => undefined);
  await waitUntil("it goes to the new primary", async () => (await port().catch(() => before)) !== before);
  const after = await port();
  for (let asked = 0; asked < 20; asked++) expect(await port()).toBe(after);
  pair.standby.proxy.refuse(true);
  onTestFinished(() => pair.standby.proxy.refuse(false));
  // The connections that it had are cut first; then only the former primary is found.
  await waitUntil("it is refused", async () =>
    port().then(
      () => false,
      (error: unknown) => String(error).includes("former primary (timeline 1, replaced by 2): stop it"),
    ),
  );
});
