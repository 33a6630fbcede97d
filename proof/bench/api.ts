import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { availableParallelism, cpus, loadavg } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { operations } from "@/lib/api/operations/table";
import { loadConfig } from "@/lib/platform/config";
import type { BarePlan } from "@/proof/bench/api/bare-runner";
import { captureCalls } from "@/proof/bench/api/calls";
import { repeat } from "@/proof/bench/measurement";
import { type Call, callsOf } from "./api/calls";
import { type ApiScene, openApiScene } from "./api/scene";
import { openBareSide, openProductSide } from "./api/sides";

const USAGE = `npm run bench:api -- [--concurrency 16] [--seconds 2] [--rounds 2] [--only listTransfers,getTransfer]

Requests per second and p99 of every operation, through a real process, beside a bare handler in another process that
sends PostgreSQL the same statements and does nothing else; in turn, on one durable embedded PostgreSQL of their own.
`;

const WARM_UP_SECONDS = 0.5;

interface Row {
  operationId: string;
  statements: number;
  api: Figures;
  bare: Figures;
}

interface Figures {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
}

/** @param programs the bundled product and the bundled bare handler */
export async function benchApi(programs: { product: string; bare: string }): Promise<void> {
  const { values } = parseArgs({
    options: {
      concurrency: { type: "string", default: "16" },
      seconds: { type: "string", default: "2" },
      rounds: { type: "string", default: "2" },
      only: { type: "string" },
      help: { type: "boolean" },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return;
  }
  const folder = join(loadConfig(process.env).dataDirectory, "bench");
  await mkdir(folder, { recursive: true });
  const dataDirectory = await mkdtemp(join(folder, "run-"));
  const loadBefore = loadavg()[0];
  try {
    const scene = await openApiScene(dataDirectory);
    try {
      const only = values.only?.split(",") ?? null;
      const calls = Object.entries(callsOf(scene)).filter(
        ([operationId]) =>
          operations.some((operation) => operation.operationId === operationId) &&
          (only === null || only.includes(operationId)),
      );
      const plan = await captureCalls(scene, scene, calls);
      const rows = await measureAll(scene, programs, dataDirectory, calls, plan, {
        concurrency: Number(values.concurrency),
        seconds: Number(values.seconds),
        rounds: Number(values.rounds),
      });
      await report(folder, rows, { concurrency: values.concurrency, loadBefore, loadAfter: loadavg()[0] });
    } finally {
      await scene.close();
    }
  } finally {
    await rm(dataDirectory, { recursive: true, force: true });
  }
}

interface Options {
  concurrency: number;
  seconds: number;
  rounds: number;
}

async function measureAll(
  scene: ApiScene,
  programs: { product: string; bare: string },
  dataDirectory: string,
  calls: [string, Call][],
  plan: BarePlan,
  options: Options,
): Promise<Row[]> {
  const sides = [
    await openProductSide(scene, programs.product, dataDirectory, options.concurrency),
    await openBareSide(scene, programs.bare, dataDirectory, plan, options.concurrency),
  ];
  const rows: Row[] = [];
  try {
    for (const [operationId, call] of calls) {
      const latencies = { API: [] as number[], bare: [] as number[] };
      for (let round = 0; round < options.rounds; round++) {
        // Interleaved, so that anything that slows the machine down affects both.
        for (const side of sides) {
          const send = () => side.send(operationId, call);
          await repeat(send, { concurrency: options.concurrency, seconds: WARM_UP_SECONDS });
          latencies[side.name].push(...(await repeat(send, options)));
        }
      }
      const seconds = options.seconds * options.rounds;
      const row = {
        operationId,
        statements: plan.operations[operationId]?.length ?? 0,
        api: figures(latencies.API, seconds),
        bare: figures(latencies.bare, seconds),
      };
      rows.push(row);
      process.stdout.write(`${renderRow(row)}\n`);
    }
  } finally {
    for (const side of sides) await side.close();
  }
  return rows;
}

function figures(latenciesMs: number[], seconds: number): Figures {
  const sorted = latenciesMs.sort((left, right) => left - right);
  const percentile = (share: number) => sorted[Math.ceil(sorted.length * share) - 1] ?? 0;
  return { perSecond: sorted.length / seconds, p50Ms: percentile(0.5), p99Ms: percentile(0.99) };
}

function renderRow({ operationId, statements, api, bare }: Row): string {
  const number = (value: number, digits = 0) => value.toFixed(digits).padStart(8);
  return [
    operationId.padEnd(26),
    String(statements).padStart(4),
    number(api.perSecond),
    number(api.p50Ms, 1),
    number(api.p99Ms, 1),
    number(bare.perSecond),
    number(bare.p99Ms, 1),
    number(api.perSecond / bare.perSecond, 2),
  ].join(" ");
}

async function report(folder: string, rows: Row[], conditions: object): Promise<void> {
  const machine = { cores: availableParallelism(), model: cpus()[0]?.model, node: process.version };
  const path = join(folder, "api.json");
  await writeFile(path, `${JSON.stringify({ machine, conditions, rows }, null, 2)}\n`);
  process.stdout.write(
    `\noperation, statements, API requests/s, p50 ms, p99 ms, bare requests/s, p99 ms, ratio\n${rows.map(renderRow).join("\n")}\n\n${JSON.stringify({ machine, conditions })}\nAll of it: ${path}\n`,
  );
}
