import { mkdtemp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import type { Programs } from "@/proof/bench/performance/measure-engine";
import { benchFolder } from "@/proof/bench/report";
import type { Measurement } from "./measurement";
import { figuresOf } from "./performance/figures";
import { startFleet } from "./performance/fleet";
import {
  measureReading,
  measureTransfers,
  measureTriggers,
  type Running,
  readings,
} from "./performance/measure-api";
import { measureApprovals } from "./performance/measure-approvals";
import { measureArrivals, measureWebhooks } from "./performance/measure-arrivals";
import { type EngineUnderTest, openEngine } from "./performance/open-engine";
import { openWorld } from "./performance/world";

const USAGE = `npm run bench:profile -- [--load transfers|triggers|arrivals|approvals|webhooks|accounts] [--seconds 6] [--concurrency 32] [--lines 25]

Where the time goes: self time of the one-process product by package and by function under a load, and of PostgreSQL by
statement. The profile is a V8 one; a sampling profiler of its own costs a few percent.
`;

const loads = {
  transfers: measureTransfers,
  triggers: measureTriggers,
  arrivals: measureArrivals,
  approvals: (running: Running, { seconds }: { seconds: number }) =>
    measureApprovals(running, { count: Math.ceil(seconds * 50), concurrency: 4 }),
  webhooks: async (running: Running, { seconds }: { seconds: number }, { receiver }: Programs) => {
    const deliveries = seconds * 4_000;
    const { delivered } = await measureWebhooks(running, receiver, { deliveries, transfers: 1 });
    return { ...delivered, latenciesMs: Array.from({ length: deliveries }, () => 0) };
  },
  accounts: (running: Running, options: { concurrency: number; seconds: number }) => {
    const call = readings(running.world.lists).listAccounts;
    if (!call) throw new Error("There is no such reading");
    return measureReading(running, call, options);
  },
};

const PROFILE = "product.cpuprofile";

const optionsSchema = z.object({
  load: z.enum(["transfers", "triggers", "arrivals", "approvals", "webhooks", "accounts"]),
  seconds: z.coerce.number().min(0.5).max(120),
  concurrency: z.coerce.number().int().min(1).max(200),
  lines: z.coerce.number().int().min(1).max(200),
});

const profileSchema = z.object({
  nodes: z.array(
    z.object({
      id: z.number(),
      callFrame: z.object({ functionName: z.string(), url: z.string(), lineNumber: z.number() }),
    }),
  ),
  samples: z.array(z.number()),
  timeDeltas: z.array(z.number()),
});

export async function benchProfile(programs: Programs): Promise<void> {
  const { values } = parseArgs({
    options: {
      load: { type: "string", default: "transfers" },
      seconds: { type: "string", default: "6" },
      concurrency: { type: "string", default: "32" },
      lines: { type: "string", default: "25" },
      help: { type: "boolean" },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return;
  }
  const options = optionsSchema.parse(values);
  const folder = await mkdtemp(join(await benchFolder(), "profile-"));
  try {
    const engine = await openEngine("embedded", folder);
    try {
      const world = await openWorld(engine, 20_000);
      // Counts what functions do inside, too: they contain most of the hot path.
      await engine.superuser.query("alter database sluice set pg_stat_statements.track = 'all'");
      const environment = { ...engine.environment, BENCH_PROFILE: join(folder, PROFILE) };
      const fleet = await startFleet({ ...engine, environment }, "one", programs.product);
      fleet.signal("SIGUSR2");
      // The profile is written when the process ends by itself; after a failure, too, it must not go on.
      const measured = await loads[options.load]({ engine, world, fleet }, options, programs).finally(() =>
        fleet.stop(),
      );
      process.stdout.write(renderDatabase(measured, options.lines));
      process.stdout.write(await renderInside(engine, figuresOf(measured).requests, options.lines));
    } finally {
      await engine.close();
    }
    process.stdout.write(renderProfile(await readProfile(folder), options.lines));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function readProfile(folder: string): Promise<z.output<typeof profileSchema>> {
  return profileSchema.parse(JSON.parse(await readFile(join(folder, PROFILE), "utf8")));
}

function renderProfile(
  { nodes, samples, timeDeltas }: z.output<typeof profileSchema>,
  lines: number,
): string {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const packages = new Map<string, number>();
  const functions = new Map<string, number>();
  let total = 0;
  for (const [index, id] of samples.entries()) {
    const frame = frames.get(id);
    if (!frame || frame.functionName === "(idle)") continue;
    const microseconds = timeDeltas[index] ?? 0;
    const from = packageOf(frame.url, frame.functionName);
    const named = `${from}  ${frame.functionName || "(anonymous)"}:${frame.lineNumber + 1}`;
    total += microseconds;
    packages.set(from, (packages.get(from) ?? 0) + microseconds);
    functions.set(named, (functions.get(named) ?? 0) + microseconds);
  }
  const render = (of: Map<string, number>) =>
    [...of]
      .sort(([, left], [, right]) => right - left)
      .slice(0, lines)
      .map(([name, microseconds]) => `  ${((100 * microseconds) / total).toFixed(1).padStart(5)} %  ${name}`)
      .join("\n");
  return `\nSelf time by package (${(total / 1e6).toFixed(1)} s not idle)\n${render(packages)}\n\nSelf time by function\n${render(functions)}\n`;
}

function packageOf(url: string, functionName: string): string {
  if (functionName.startsWith("(")) return functionName;
  const inModules = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];
  if (inModules) return inModules;
  if (url === "") return "(native)";
  return url.startsWith("node:") ? (url.split("/")[0] ?? url) : "sluice";
}

function renderDatabase(measured: Measurement, lines: number): string {
  const { requests, completedPerSecond, roundTrips, databaseMs } = figuresOf(measured);
  const shown = measured.statements
    .map((statement) => ({ ...statement, totalMs: statement.calls * statement.meanMs }))
    .sort((left, right) => right.totalMs - left.totalMs)
    .slice(0, lines)
    .map(
      ({ text, calls, meanMs, totalMs }) =>
        `  ${(totalMs / requests).toFixed(3).padStart(8)} ms  ${(calls / requests).toFixed(3).padStart(7)} ×  ${meanMs.toFixed(3).padStart(8)} ms  ${text.slice(0, 90)}`,
    );
  return `\n${completedPerSecond.toFixed(0)} completed/s, ${roundTrips.toFixed(2)} round trips and ${databaseMs.toFixed(2)} ms of PostgreSQL for each\n${shown.join("\n")}\n`;
}

/** Statements within functions, and those of triggers. */
async function renderInside(
  { superuser }: EngineUnderTest,
  requests: number,
  lines: number,
): Promise<string> {
  const { rows } = await superuser.query<{ text: string; calls: number; totalMs: number }>(
    `select regexp_replace(query, '\\s+', ' ', 'g') as text, calls::int, total_exec_time as "totalMs"
       from pg_stat_statements where not toplevel order by total_exec_time desc limit $1`,
    [lines],
  );
  const shown = rows.map(
    ({ text, calls, totalMs }) =>
      `  ${(totalMs / requests).toFixed(3).padStart(8)} ms  ${(calls / requests).toFixed(2).padStart(6)} ×  ${text.slice(0, 110)}`,
  );
  return `\nInside functions and triggers, for each request\n${shown.join("\n")}\n`;
}
