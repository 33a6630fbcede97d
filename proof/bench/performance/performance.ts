import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { loadavg } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { projectPath } from "@/lib/platform/project-path";
import { type Conditions, readConditions } from "@/proof/bench/performance/describe";
import { benchFolder } from "@/proof/bench/report";
import { describe } from "./describe";
import { type EngineReport, measureEngine, type Programs, type Sizes } from "./measure-engine";
import { ENGINES } from "./open-engine";

const USAGE = `npm run bench -- [--engines embedded,external] [--seconds 4] [--rounds 4] [--transfers 100000] [--concurrency 32]
                 [--in-flight 192] [--approvals 300] [--deliveries 16000] [--out docs/performance.md]

Transfers, readings, lists at depth, rule runs, webhooks and approvals, without and during backups, on an embedded PostgreSQL and on one over
TCP, of one process and of two with a worker apart; each with the limit that PostgreSQL sets in the same run. Writes
docs/performance.md. Exit code 1: two processes and a worker completed fewer transfers per second than one process.
Never touches the database that the data folder or DATABASE_URL names.
`;

const optionsSchema = z.object({
  engines: z.string().transform((text) => z.array(z.enum(ENGINES)).min(1).parse(text.split(","))),
  seconds: z.coerce.number().min(0.2).max(60),
  rounds: z.coerce.number().int().min(1).max(20),
  transfers: z.coerce.number().int().min(20_000).max(10_000_000),
  concurrency: z.coerce.number().int().min(2).max(200),
  "in-flight": z.coerce.number().int().min(2).max(1_000),
  approvals: z.coerce.number().int().min(4).max(1_000),
  deliveries: z.coerce.number().int().min(100).max(100_000),
  out: z.string().min(1),
});

/** @returns whether two processes and a worker were at least as fast as one process, on every engine */
export async function benchPerformance(programs: Programs): Promise<boolean> {
  const { values } = parseArgs({
    options: {
      engines: { type: "string", default: ENGINES.join() },
      seconds: { type: "string", default: "4" },
      rounds: { type: "string", default: "4" },
      transfers: { type: "string", default: "100000" },
      concurrency: { type: "string", default: "32" },
      "in-flight": { type: "string", default: "192" },
      approvals: { type: "string", default: "300" },
      deliveries: { type: "string", default: "16000" },
      out: { type: "string", default: join(projectPath("docs"), "performance.md") },
      help: { type: "boolean" },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return true;
  }
  const { engines, out, ...rest } = optionsSchema.parse(values);
  const sizes: Sizes = { ...rest, inFlight: rest["in-flight"] };
  const startedAt = performance.now();
  const loadBefore = loadavg()[0] ?? 0;
  const reports: EngineReport[] = [];
  for (const engine of engines) reports.push(await measureIn(engine, programs, sizes));
  const conditions: Conditions = await readConditions(loadBefore, (performance.now() - startedAt) / 1_000);
  await writeFile(out, await describe(reports, conditions, sizes));
  const figures = join(await benchFolder(), "performance.json");
  await writeFile(figures, `${JSON.stringify({ conditions, sizes, reports }, null, 2)}\n`);
  process.stdout.write(`\nWritten: ${out}\nThe figures: ${figures}\n`);
  return reports.every(({ claim }) => claim.holds);
}

async function measureIn(
  engine: (typeof ENGINES)[number],
  programs: Programs,
  sizes: Sizes,
): Promise<EngineReport> {
  const parent = await benchFolder();
  await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(join(parent, `${engine}-`));
  try {
    return await measureEngine(engine, folder, programs, sizes);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
