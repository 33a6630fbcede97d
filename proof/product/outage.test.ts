/**
 * What a product reports while something that it needs is down: its database, the trace collector. Promise: the log
 * names the outage and stays readable, however much fails; and everything resumes by itself.
 */

import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer as createHttpServer } from "node:http";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { type BuiltProgram, buildProgram } from "@/lib/testing/embedded-process";
import {
  findFreePort,
  type ProductProcess,
  readPostmasterPid,
  removeDataDirectory,
  startProduct,
} from "@/lib/testing/product-process";
import { startTcpPostgres, type TcpPostgres } from "@/lib/testing/servers/tcp-postgres";
import { waitUntil } from "@/lib/testing/wait-until";

const REQUESTS = 400;
const AT_ONCE = 20;
/** Node's timers and the log's clock differ by a few milliseconds. */
const LEAST_GAP_MS = 980;
/** Two statements one after the other, each up to its deadline, and a wait for a connection. */
const LONGEST_ANSWER_MS = 60_000;

const lineSchema = z.looseObject({
  level: z.number(),
  time: z.iso.datetime(),
  msg: z.string(),
  leftOut: z.number().optional(),
});

let program: BuiltProgram;
let postgres: TcpPostgres;
let dataDirectory: string;
beforeAll(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), "sluice-outage-"));
  [program, postgres] = await Promise.all([
    buildProgram("lib/testing/product-process-main.ts"),
    startTcpPostgres(),
  ]);
});
afterAll(async () => {
  await postgres?.stop();
  await program?.remove();
  await rm(dataDirectory, { recursive: true, force: true });
});

/** A connection to the database that can be cut and restored. */
async function openWay(port: number, to: number) {
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(to, "127.0.0.1");
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(one);
      one.on("error", () => other.destroy()).on("close", () => open.delete(one));
    }
    client.pipe(upstream).pipe(client);
  });
  const mend = () => once(server.listen(port, "127.0.0.1"), "listening");
  const cut = () => {
    server.close();
    for (const socket of open) socket.destroy();
  };
  await mend();
  return { mend, cut };
}

function linesOf(product: ProductProcess) {
  return product
    .logged()
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => lineSchema.parse(JSON.parse(line)));
}

it("a database outage is logged once a second with the number of suppressed lines, and everything resumes afterwards", async () => {
  const url = new URL(await postgres.createDatabase("outage"));
  const port = await findFreePort();
  const way = await openWay(port, Number(url.port));
  onTestFinished(way.cut);
  url.port = String(port);
  const product = await startProduct({
    program: program.path,
    dataDirectory,
    port: await findFreePort(),
    environment: { DATABASE_URL: url.href, SLUICE_SECRET: "s".repeat(32), LOG_LEVEL: "warn" },
  });
  onTestFinished(() => product.kill());
  const { origin } = new URL(product.apiUrl);
  expect((await fetch(`${origin}/readyz`)).status).toBe(200);

  way.cut();
  await waitUntil("it is not ready", async () => (await fetch(`${origin}/readyz`)).status === 503);
  let asked = 0;
  const ask = async () => {
    while (asked++ < REQUESTS) {
      const headers = { Authorization: "Bearer sluice_notAKeyButOneThatIsLookedUp" };
      await (
        await fetch(`${origin}/hooks/rules/01890a5d-ac96-774b-bcce-b302099a8057`, { method: "POST", headers })
      ).text();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, ask));
  // Time for the suppressed count to be logged.
  const before = linesOf(product).length;
  await waitUntil("another line", () => linesOf(product).length > before);

  const lines = linesOf(product).filter(({ level }) => level >= 40);
  const times = lines.map(({ time }) => Date.parse(time));
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  expect(
    gaps.filter((gap) => gap < LEAST_GAP_MS),
    JSON.stringify(lines, null, 1),
  ).toEqual([]);
  expect(lines.reduce((sum, { leftOut = 0 }) => sum + leftOut, lines.length)).toBeGreaterThan(REQUESTS);

  await way.mend();
  await waitUntil("it is ready again", async () => (await fetch(`${origin}/readyz`)).status === 200);
});

/** The embedded server's processes that serve connections, by the title that PostgreSQL gives them. */
async function backendsOf(postmaster: number): Promise<number[]> {
  const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "pid=,ppid=,args="]);
  return stdout.split("\n").flatMap((line) => {
    const [pid, parent, ...title] = line.trim().split(/\s+/);
    return Number(parent) === postmaster && title.join(" ").includes("[local]") ? [Number(pid)] : [];
  });
}

it("frozen backends of the embedded database fail their calls in time, show in /readyz, and are replaced", {
  timeout: 180_000,
}, async () => {
  const folder = join(dataDirectory, "frozen");
  const product = await startProduct({
    program: program.path,
    dataDirectory: folder,
    port: await findFreePort(),
  });
  const frozen: number[] = [];
  const thaw = () => {
    for (const pid of frozen.splice(0)) process.kill(pid, "SIGCONT");
  };
  onTestFinished(async () => {
    thaw();
    await product.kill();
    await removeDataDirectory(folder);
  });
  const { origin } = new URL(product.apiUrl);
  const ready = async () => (await fetch(`${origin}/readyz`)).status;
  const ask = async () => {
    const began = performance.now();
    const headers = { Authorization: "Bearer sluice_notAKeyButOneThatIsLookedUp" };
    const path = `${origin}/hooks/rules/01890a5d-ac96-774b-bcce-b302099a8057`;
    const response = await fetch(path, { method: "POST", headers });
    await response.text();
    return { status: response.status, tookMs: performance.now() - began };
  };
  // The pool opens its connections when requests come together.
  await Promise.all(Array.from({ length: AT_ONCE }, ask));
  frozen.push(...(await backendsOf(await readPostmasterPid(folder))));
  expect(frozen.length).toBeGreaterThan(2);
  for (const pid of frozen) process.kill(pid, "SIGSTOP");

  const answers = Promise.all(Array.from({ length: AT_ONCE }, ask));
  await waitUntil("it is not ready", async () => (await ready()) === 503, 40_000);
  for (const { tookMs } of await answers) expect(tookMs).toBeLessThan(LONGEST_ANSWER_MS);
  // Others have taken their place, while they are still frozen.
  await waitUntil("it is ready again", async () => (await ready()) === 200, 60_000);
  const { status, tookMs } = await ask();
  expect(status).toBe(401);
  expect(tookMs).toBeLessThan(1_000);
  thaw();
});

it("a collector outage is logged once, and once when it is back", async () => {
  const port = await findFreePort();
  const traced = join(dataDirectory, "traced");
  const product = await startProduct({
    program: program.path,
    dataDirectory: traced,
    port: await findFreePort(),
    environment: {
      LOG_LEVEL: "info",
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_EXPORTER_OTLP_TIMEOUT: "300",
      OTEL_BSP_SCHEDULE_DELAY: "50",
    },
  });
  onTestFinished(async () => {
    await product.kill();
    await removeDataDirectory(traced);
  });
  const reported = () => linesOf(product).filter(({ msg }) => msg.includes("collector"));
  const ask = async () => void (await (await fetch(`${product.apiUrl}/accounts`)).text());
  await waitUntil("it is logged", async () => {
    await ask();
    return reported().length > 0;
  });
  let refused = 0;
  const dead = createServer((socket) => {
    refused += 1;
    socket.destroy();
  }).listen(port, "127.0.0.1");
  await waitUntil("many more are lost", async () => {
    await ask();
    return refused > 5;
  });
  dead.close();
  expect(reported()).toMatchObject([
    { level: 40, msg: "the collector accepts no traces; they are lost until it does" },
  ]);

  const alive = createHttpServer((request, response) => {
    request
      .resume()
      .on("end", () => response.writeHead(200, { "Content-Type": "application/json" }).end("{}"));
  });
  await once(dead, "close");
  alive.listen(port, "127.0.0.1");
  onTestFinished(() => void alive.close());
  await waitUntil("their acceptance is logged", async () => {
    await ask();
    return reported().length > 1;
  });
  expect(reported().at(-1)).toMatchObject({ level: 30, msg: "the collector accepts traces again" });
  expect(reported()).toHaveLength(2);
});
