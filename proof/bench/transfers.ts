import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, cpus, loadavg } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { addCallers, settleDown } from "@/proof/bench/arrange";
import { figuresOf, median } from "@/proof/bench/performance/figures";
import { type EngineUnderTest, openEngine } from "@/proof/bench/performance/open-engine";
import { CALLERS } from "@/proof/bench/performance/world";
import { findPgbench, preparePgbench } from "@/proof/bench/pgbench";
import { preparePlainLedger } from "@/proof/bench/plain-ledger";
import { benchFolder, saveReport } from "@/proof/bench/report";
import { measurePgbench, measureSql } from "@/proof/bench/transfer-limits";
import {
  type LoadFigures,
  measureLoad,
  type OwedFigures,
  sendOwed,
  startProcesses,
  warmUp,
} from "@/proof/bench/transfers/measure-load";
import { type LoadClient, openLoadClient } from "@/proof/bench/transfers/send-load";

/** Above it other work is running, and what a second does is its doing. */
const MAXIMUM_LOAD_AVERAGE = 1.5;

const USAGE = `npm run bench:transfers -- [--seconds 6] [--rounds 2] [--concurrency 32] [--in-flight 192] [--processes 4]
                           [--proposals 0] [--limits] [--anyway]

POST /transfers of 200 organizations, until completed, and to proposals that wait, on a durable embedded PostgreSQL of its
own: per second, beside the plain ledger (proof/bench/plain-ledger.sql, by pgbench on the idle server before and after), and
in processor time of PostgreSQL, Node and the client. The load comes from wrk where it is installed. With more requests in
flight, one process is compared with several by their processor time.
--proposals writes that many first, up to 150000, and measures both again. --limits also sends the same statements from a
bare loop and from pgbench. Where the load average at the start is above ${MAXIMUM_LOAD_AVERAGE}, nothing is measured; with
--anyway it is, for the processor times, and nothing is saved. The exit code is 1 in both cases.
`;

const FIRST_SECONDS = 10;
const PLAIN_SECONDS = 4;
const AGAIN_SECONDS = 2;

const optionsSchema = z.object({
  seconds: z.coerce.number().int().min(1).max(60),
  rounds: z.coerce.number().int().min(1).max(10),
  concurrency: z.coerce.number().int().min(1).max(256),
  "in-flight": z.coerce.number().int().min(1).max(1_000),
  processes: z.coerce.number().int().min(2).max(8),
  // A key may have 100 that wait, and the loads write some, too.
  proposals: z.coerce.number().int().min(0).max(150_000),
});
type Options = z.output<typeof optionsSchema>;

/** The loads, in the order of the table. */
const LOADS = {
  first: "to completed, first ten seconds after a start",
  completed: "to completed",
  waiting: "proposals that wait",
  waitingLater: "proposals that wait, after --proposals",
  completedLater: "to completed, after --proposals",
  one: "to completed, --in-flight",
  several: "the same over --processes",
};
type LoadName = keyof typeof LOADS;

/** With their statements. */
const SHOWN: LoadName[] = ["completed", "waiting", "waitingLater", "completedLater", "one", "several"];

interface Scene {
  engine: EngineUnderTest;
  product: string;
  /** Of keys that move alone, and of keys that ask each time. */
  movers: LoadClient;
  requesters: LoadClient;
  movePlainly: () => Promise<number>;
  /** Of the same statements without the product, by how they are sent. */
  limits: Record<string, () => Promise<number>>;
}

interface Figures {
  plain: number[];
  loads: Partial<Record<LoadName, LoadFigures[]>>;
  limits: Record<string, number[]>;
  /** Of proposals, sent after the load that wrote them. */
  owed: OwedFigures[];
}

/**
 * Measures, prints a table and writes `transfers.json` in the data folder. Never touches the database that the data folder
 * or DATABASE_URL names: it writes invented money.
 * @param programs the bundled product
 * @returns whether the machine was idle enough for the figures to be saved
 */
export async function benchTransfers({ product }: { product: string }): Promise<boolean> {
  const { values } = parseArgs({
    options: {
      seconds: { type: "string", default: "6" },
      rounds: { type: "string", default: "2" },
      concurrency: { type: "string", default: "32" },
      "in-flight": { type: "string", default: "192" },
      processes: { type: "string", default: "4" },
      proposals: { type: "string", default: "0" },
      limits: { type: "boolean", default: false },
      anyway: { type: "boolean", default: false },
      help: { type: "boolean" },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return true;
  }
  const options = optionsSchema.parse(values);
  const loadBefore = loadavg()[0] ?? 0;
  const isIdle = loadBefore <= MAXIMUM_LOAD_AVERAGE;
  if (!isIdle && !values.anyway) {
    say(
      `The load average is ${loadBefore.toFixed(1)}, above ${MAXIMUM_LOAD_AVERAGE}: other work is running.`,
    );
    return false;
  }
  const folder = await mkdtemp(join(await benchFolder(), "transfers-"));
  try {
    const engine = await openEngine("embedded", folder);
    try {
      const scene = await arrange(engine, product, folder, options, values.limits);
      const figures: Figures = { plain: [], loads: {}, limits: {}, owed: [] };
      for (let round = 1; round <= options.rounds; round++) {
        say(`round ${round}`);
        await measureRound(scene, options, figures, round === options.rounds);
      }
      const conditions = { ...options, client: scene.movers.name, pgbench: await findPgbench(), loadBefore };
      say(render(figures, conditions));
      if (isIdle) await saveReport("transfers.json", figures, conditions);
      else
        say(`Not saved: the load average was ${loadBefore.toFixed(1)}. Processor times hold nevertheless.`);
    } finally {
      await engine.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return isIdle;
}

async function arrange(
  engine: EngineUnderTest,
  product: string,
  folder: string,
  options: Options,
  withLimits: boolean,
): Promise<Scene> {
  const callers = await addCallers(engine, CALLERS);
  const requesters = await addCallers(engine, CALLERS, true);
  const movePlainly = await preparePlainLedger(engine, join(folder, "plain-ledger"));
  const scene = { ...engine, callers };
  const pgbench = withLimits ? await preparePgbench(scene, join(folder, "pgbench")) : null;
  await settleDown(engine);
  const limits: Scene["limits"] = {};
  if (withLimits)
    limits["same SQL, bare Node"] = async () =>
      figuresOf(await measureSql(scene, options)).completedPerSecond;
  if (pgbench)
    limits["same SQL, pgbench"] = async () =>
      figuresOf(await measurePgbench(scene, pgbench, options)).completedPerSecond;
  return {
    engine,
    product,
    movers: await openLoadClient(callers, folder, "movers"),
    requesters: await openLoadClient(requesters, folder, "requesters"),
    movePlainly: () => movePlainly(PLAIN_SECONDS),
    limits,
  };
}

/** No process of the product runs beside the plain ledger. @param isLast writes many proposals, once */
async function measureRound(
  scene: Scene,
  options: Options,
  figures: Figures,
  isLast: boolean,
): Promise<void> {
  const { engine, movers, requesters } = scene;
  const { concurrency, seconds } = options;
  const few = { concurrency, seconds };
  const many = { concurrency: options["in-flight"], seconds };
  figures.plain.push(await scene.movePlainly());
  await withProcesses(scene, 1, async (one) => {
    const add = async (name: LoadName, client: LoadClient, load: typeof few) => {
      noteOwed(figures, await sendOwed(engine, one));
      // Connections ended meanwhile, and with them their plans.
      await client.send(one.urls, { ...load, seconds: AGAIN_SECONDS });
      note(figures, name, await measureLoad(engine, one, client, load));
    };
    const cold = { concurrency, seconds: FIRST_SECONDS };
    note(figures, "first", await measureLoad(engine, one, movers, cold));
    await warmUp(one, movers, concurrency);
    await add("completed", movers, few);
    await warmUp(one, requesters, concurrency);
    await add("waiting", requesters, few);
    await add("one", movers, many);
    if (!isLast || options.proposals === 0) return;
    for (let left = options.proposals; left > 0; )
      left -= (await requesters.send(one.urls, { ...few, seconds: 5 })).requests;
    await add("waitingLater", requesters, few);
    await add("completedLater", movers, few);
  });
  await withProcesses(scene, options.processes, async (several) => {
    await warmUp(several, movers, many.concurrency);
    noteOwed(figures, await sendOwed(engine, several));
    await movers.send(several.urls, { ...many, seconds: AGAIN_SECONDS });
    note(figures, "several", await measureLoad(engine, several, movers, many));
  });
  for (const [name, measure] of Object.entries(scene.limits)) {
    const perSecond = await measure();
    figures.limits[name] = [...(figures.limits[name] ?? []), perSecond];
  }
  figures.plain.push(await scene.movePlainly());
}

async function withProcesses(
  { engine, product }: Scene,
  count: number,
  use: (processes: Awaited<ReturnType<typeof startProcesses>>) => Promise<void>,
): Promise<void> {
  const processes = await startProcesses(engine, product, count);
  try {
    await use(processes);
  } finally {
    await processes.kill();
  }
}

function note(figures: Figures, name: LoadName, measured: LoadFigures): void {
  figures.loads[name] = [...(figures.loads[name] ?? []), measured];
  const { postgresMs = 0, nodeMs = 0 } = measured.processor ?? {};
  say(
    `  ${LOADS[name]}: ${measured.perSecond.toFixed(0)}/s, PostgreSQL ${postgresMs.toFixed(3)} ms, Node ${nodeMs.toFixed(3)} ms`,
  );
}

/** Few say nothing: most of the time was the processes' own. */
const WORTH_NOTING = 500;

function noteOwed(figures: Figures, owed: OwedFigures): void {
  if (owed.notices < WORTH_NOTING) return;
  figures.owed.push(owed);
  const { postgresMs = 0, nodeMs = 0 } = owed.processor ?? {};
  say(
    `  ${owed.notices} notices in ${owed.seconds.toFixed(0)} s: PostgreSQL ${postgresMs.toFixed(3)} ms, Node ${nodeMs.toFixed(3)} ms each`,
  );
}

interface Conditions extends Options {
  client: string;
  pgbench: string | null;
  loadBefore: number;
}

function render({ plain, loads, limits }: Figures, conditions: Conditions): string {
  const ledger = median(plain);
  const rows = Object.entries(LOADS).flatMap(([name, what]) => {
    const all = loads[name as LoadName] ?? [];
    if (all.length === 0) return [];
    const of = (value: (one: LoadFigures) => number) => median(all.map(value));
    const perSecond = of((one) => one.perSecond);
    return [
      [
        what,
        perSecond.toFixed(0),
        (perSecond / ledger).toFixed(2),
        of((one) => one.p50Ms).toFixed(0),
        of((one) => one.p99Ms).toFixed(0),
        of((one) => one.roundTrips).toFixed(2),
        of((one) => one.processor?.postgresMs ?? 0).toFixed(3),
        of((one) => one.processor?.nodeMs ?? 0).toFixed(3),
        of((one) => one.processor?.clientMs ?? 0).toFixed(3),
      ],
    ];
  });
  for (const [name, all] of Object.entries(limits))
    rows.push([name, median(all).toFixed(0), (median(all) / ledger).toFixed(2)]);
  const timeOf = (name: LoadName, of: "nodeMs" | "postgresMs") =>
    median((loads[name] ?? []).map(({ processor }) => processor?.[of] ?? 0));
  const times = (of: "nodeMs" | "postgresMs") => (timeOf("several", of) / timeOf("one", of)).toFixed(2);
  const { cores, model } = { cores: availableParallelism(), model: cpus()[0]?.model };
  return `
  ${cores} × ${model}, Node ${process.version}; load by ${conditions.client}; load average ${conditions.loadBefore.toFixed(1)} at the start
  plain ledger ${ledger.toFixed(0)}/s (${plain.map((each) => each.toFixed(0)).join(", ")}), ${conditions.pgbench ?? "a bare loop, since pgbench is not installed"}

${align([["", "per s", "ratio", "p50 ms", "p99 ms", "trips", "PostgreSQL ms", "Node ms", "client ms"], ...rows])}

${SHOWN.map((name) => renderStatements(LOADS[name], loads[name]?.at(-1))).join("\n")}
  processor time of ${conditions.processes} processes with ${conditions["in-flight"]} in flight, of one process's: Node ${times("nodeMs")}, PostgreSQL ${times("postgresMs")}
`;
}

function renderStatements(what: string, measured: LoadFigures | undefined): string {
  const lines = (measured?.statements ?? []).map(
    ({ text, calls, microseconds, planningMicroseconds }) =>
      `    ${microseconds.toFixed(0).padStart(5)} us, planning ${planningMicroseconds.toFixed(0).padStart(3)}  ${calls.toFixed(4)} ×  ${text.slice(0, 100)}`,
  );
  return `  ${what}, per request, in statements (waits for locks included):\n${lines.join("\n")}\n`;
}

function align(lines: readonly (readonly string[])[]): string {
  const widths = (lines[0] ?? []).map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  return lines
    .map((line) =>
      line
        .map((text, column) =>
          column === 0 ? text.padEnd(widths[0] ?? 0) : text.padStart(widths[column] ?? 0),
        )
        .join("  "),
    )
    .map((line) => `  ${line}`)
    .join("\n");
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
