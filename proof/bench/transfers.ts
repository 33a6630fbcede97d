import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { Agent, request } from "node:http";
import { availableParallelism, cpus, loadavg } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { loadConfig } from "@/lib/platform/config";
import { findFreePort, startProduct } from "@/lib/testing/product-process";
import { openScene, type Scene } from "@/proof/bench/arrange";
import { type LoadOptions, type Measurement, merge, type Wish } from "@/proof/bench/measurement";
import { preparePgbench } from "@/proof/bench/pgbench";
import { type ResultRow, renderStatements, renderTable, summarize } from "@/proof/bench/report";
import { measurePgbench, measureSql, warmUpAndMeasure } from "@/proof/bench/transfer-limits";

const USAGE = `npm run bench:transfers -- [--concurrency 16] [--seconds 6] [--rounds 2]

Transfers per second between pods: through the API of a real process, by the same statements from a bare loop in Node,
and (where it is installed) from pgbench; all in turn on one durable embedded PostgreSQL of its own. Ratios say more than figures:
they hold on another machine, and while this one is busy.
`;

/**
 * Measures, prints a table and writes `proof/bench/transfers.json` in the data folder. Never touches the database that
 * the data folder or DATABASE_URL names: it writes invented money.
 * @param programs the bundled product
 */
export async function benchTransfers({ product }: { product: string }): Promise<void> {
  const { values } = parseArgs({
    options: {
      concurrency: { type: "string", default: "16" },
      seconds: { type: "string", default: "6" },
      rounds: { type: "string", default: "2" },
      help: { type: "boolean" },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return;
  }
  const options = { concurrency: Number(values.concurrency), seconds: Number(values.seconds) };
  const folder = join(loadConfig(process.env).dataDirectory, "bench");
  await mkdir(folder, { recursive: true });
  const dataDirectory = await mkdtemp(join(folder, "run-"));
  const loadBefore = loadavg()[0];
  try {
    const scene = await openScene(dataDirectory);
    try {
      const measurements = await runRounds(scene, product, dataDirectory, Number(values.rounds), options);
      await report(folder, measurements, { ...options, loadBefore, loadAfter: loadavg()[0] });
    } finally {
      await scene.close();
    }
  } finally {
    await rm(dataDirectory, { recursive: true, force: true });
  }
}

/** Interleaved, so that anything that slows the machine down affects all of them. */
async function runRounds(
  scene: Scene,
  program: string,
  dataDirectory: string,
  rounds: number,
  options: LoadOptions,
): Promise<Map<string, Measurement>> {
  const pgbench = await preparePgbench(scene, join(dataDirectory, "pgbench"));
  const ways: Record<string, () => Promise<Measurement>> = {
    "HTTP API": () => measureApi(scene, program, dataDirectory, options),
    "same SQL, bare Node": () => measureSql(scene, options),
    ...(pgbench && { "same SQL, pgbench": () => measurePgbench(scene, pgbench, options) }),
  };
  const measured = new Map<string, Measurement[]>();
  for (let round = 1; round <= rounds; round++) {
    for (const [name, way] of Object.entries(ways)) {
      const one = await way();
      measured.set(name, [...(measured.get(name) ?? []), one]);
      const perSecond = (one.latenciesMs.length / one.seconds).toFixed(0);
      process.stdout.write(`  round ${round}: ${name}, ${perSecond} accepted/s\n`);
    }
  }
  return new Map([...measured].map(([name, all]) => [name, merge(all)]));
}

/** The product in one process, its clients in this one. */
async function measureApi(scene: Scene, program: string, dataDirectory: string, options: LoadOptions) {
  const product = await startProduct({ program, dataDirectory, port: await findFreePort() });
  const requester = createHttpRequester(product.apiUrl, options.concurrency);
  try {
    return await warmUpAndMeasure(scene, requester.make, options);
  } finally {
    requester.close();
    await product.kill();
  }
}

async function report(
  folder: string,
  measurements: Map<string, Measurement>,
  conditions: LoadOptions & { loadBefore: number | undefined; loadAfter: number | undefined },
): Promise<void> {
  const rows: ResultRow[] = [...measurements].map(([name, measured]) => summarize(name, measured));
  const base = rows.find(({ name }) => name === "same SQL, bare Node");
  const api = measurements.get("HTTP API");
  if (!base || !api) throw new Error("Nothing was measured");
  const machine = { cores: availableParallelism(), model: cpus()[0]?.model, node: process.version };
  const path = join(folder, "transfers.json");
  const statements = Object.fromEntries([...measurements].map(([name, one]) => [name, one.statements]));
  await writeFile(path, `${JSON.stringify({ machine, conditions, rows, statements }, null, 2)}\n`);
  process.stdout.write(`
  ${machine.cores} × ${machine.model}, Node ${machine.node}, ${conditions.concurrency} at a time;
  load average ${conditions.loadBefore?.toFixed(1)} before, ${conditions.loadAfter?.toFixed(1)} after

${renderTable(rows, base)}

  Statements of the API, per transfer:
${renderStatements(api)}

  All of it: ${path}
`);
}

/** Makes transfers through the API, over connections that stay open. */
function createHttpRequester(apiUrl: string, concurrency: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  const url = new URL(`${apiUrl}/transfers`);

  function make({ caller, ...transfer }: Wish): Promise<void> {
    const body = JSON.stringify({ ...transfer, description: "bench" });
    return new Promise((resolve, reject) => {
      const sent = request(
        url,
        {
          agent,
          method: "POST",
          headers: {
            Authorization: `Bearer ${caller.keyText}`,
            "Content-Type": "application/json",
            "Content-Length": Buffer.byteLength(body),
            "Idempotency-Key": randomUUID(),
          },
        },
        (response) => {
          text(response).then((answer) => {
            if (response.statusCode === 202) resolve();
            else reject(new Error(`Refused with ${response.statusCode}: ${answer}`));
          }, reject);
        },
      );
      sent.on("error", reject);
      sent.end(body);
    });
  }

  return { make, close: () => agent.destroy() };
}
