import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Measurement, merge } from "@/proof/bench/measurement";
import { measureWebhooks } from "@/proof/bench/performance/measure-arrivals";
import { measureApprovalLimit } from "@/proof/bench/performance/measure-limits";
import { preparePlainLedger } from "@/proof/bench/plain-ledger";
import { type Claim, claimOf, type Figures, figuresOf, median } from "./figures";
import { type Fleet, SETUPS, type Setup, startFleet } from "./fleet";
import {
  measureOneRoute,
  measureReading,
  measureTransfers,
  measureTriggers,
  type Running,
  readings,
} from "./measure-api";
import { measureApprovals } from "./measure-approvals";
import { measureArrivals } from "./measure-arrivals";
import { type Limit, measureReadingLimits, measureRunLimit, measureTransferLimit } from "./measure-limits";
import { type EngineName, type EngineUnderTest, openEngine } from "./open-engine";
import { openWorld, type World } from "./world";

/** The bundled programs. */
export interface Programs {
  product: string;
  receiver: string;
  backup: string;
}

export interface Sizes {
  concurrency: number;
  /** Concurrent transfers when one process is compared with several: enough to keep all of them busy. */
  inFlight: number;
  /** Duration of one load. */
  seconds: number;
  /** Of transfers, alternating between one process and several. */
  rounds: number;
  /** In the organization whose lists are read. */
  transfers: number;
  approvals: number;
  deliveries: number;
}

/** One kind of work by one setup. */
export interface Row extends Figures {
  what: string;
  /** At the end, of each process. */
  residentMib: number[];
  /** Null: PostgreSQL sets no limit that could be measured separately. */
  limit: Limit | null;
  /** Plain ledger transactions per second beside it; null: it moves no money. */
  plainLedger: number | null;
}

export interface EngineReport {
  engine: EngineName;
  version: string;
  claim: Claim;
  rows: Record<Setup, Row[]>;
  backup: BackupFigures;
}

/** One process, in turn without and with `npm run backup` running all the while. */
interface BackupFigures {
  /** How many backups were written during the loads. */
  backups: number;
  transfers: Record<Moment, Figures>;
  deliveriesPerSecond: Record<Moment, number>;
}

type Moment = "without" | "during";

/** People who click at the same time. */
const DECIDERS = 4;
const SINGLE_TRANSFERS = 60;

/** All measurements on one database. @param folder dedicated to it, deleted by the caller */
export async function measureEngine(
  name: EngineName,
  folder: string,
  programs: Programs,
  sizes: Sizes,
): Promise<EngineReport> {
  say(`${name}: making the database`);
  const engine = await openEngine(name, folder);
  try {
    const world = await openWorld(engine, sizes.transfers);
    const movePlainly = await preparePlainLedger(engine, join(folder, "plain-ledger"));
    const limits = await measureLimits(engine, world, folder, sizes);
    const rounds = await measureRounds(engine, world, programs, sizes);
    const report: EngineReport = {
      engine: name,
      version: engine.version,
      claim: claimOf(rounds.one, rounds.split),
      rows: { one: [], split: [] },
      backup: await measureUnderBackup(engine, world, folder, programs, sizes),
    };
    for (const setup of SETUPS) {
      const fleet = await startFleet(engine, setup, programs.product);
      try {
        const running = { engine, world, fleet };
        const plainly = () => movePlainly(sizes.seconds);
        report.rows[setup].push(...(await measureSetup(running, setup, programs, sizes, limits, plainly)));
      } finally {
        await fleet.kill();
      }
    }
    return report;
  } finally {
    await engine.close();
  }
}

type Limits = Map<string, Limit>;

async function measureLimits(
  engine: EngineUnderTest,
  world: World,
  folder: string,
  { concurrency, seconds, approvals }: Sizes,
): Promise<Limits> {
  const options = { concurrency, seconds, folder };
  say(`${engine.name}: the limits`);
  const limits: Limits = new Map();
  limits.set("transfers", await measureTransferLimit(engine, world, options));
  for (const [name, limit] of await measureReadingLimits(engine, world, options)) limits.set(name, limit);
  limits.set("runs", await measureRunLimit(engine, world, options));
  const decisions = { count: approvals, concurrency: DECIDERS };
  limits.set("approvals", await measureApprovalLimit(engine, world.requesters, decisions));
  for (const [name, { bare, pgbench }] of limits) {
    say(`  limit of ${name}: ${bare.toFixed(0)}/s bare, ${pgbench?.toFixed(0) ?? "–"}/s pgbench`);
  }
  return limits;
}

/** Alternating, each time in another order, so that anything that slows the machine down affects both. */
async function measureRounds(
  engine: EngineUnderTest,
  world: World,
  { product }: Programs,
  { rounds, inFlight, seconds }: Sizes,
): Promise<Record<Setup, number[]>> {
  const perSecond: Record<Setup, number[]> = { one: [], split: [] };
  for (let round = 0; round < rounds; round++) {
    for (const setup of round % 2 === 0 ? SETUPS : [...SETUPS].reverse()) {
      const fleet = await startFleet(engine, setup, product);
      try {
        const options = { concurrency: inFlight, seconds };
        const { completedPerSecond } = figuresOf(await measureTransfers({ engine, world, fleet }, options));
        perSecond[setup].push(completedPerSecond);
        say(`  round ${round + 1}: ${setup}, ${completedPerSecond.toFixed(0)} transfers completed/s`);
      } finally {
        await fleet.kill();
      }
    }
  }
  return perSecond;
}

async function measureSetup(
  running: Running,
  setup: Setup,
  { receiver }: Programs,
  sizes: Sizes,
  limits: Limits,
  movePlainly: () => Promise<number>,
): Promise<Row[]> {
  const { fleet, world } = running;
  const rows: Row[] = [];
  const add = async (what: string, limit: string, measured: Measurement, plainLedger: number | null) => {
    const row = await toRow(fleet, what, measured, limits.get(limit) ?? null, plainLedger);
    rows.push(row);
    const { completedPerSecond, p50Ms, p99Ms } = row;
    say(
      `  ${setup}: ${what} ${completedPerSecond.toFixed(0)}/s, ${p50Ms.toFixed(1)} / ${p99Ms.toFixed(1)} ms${plainLedger === null ? "" : `, plain ledger ${plainLedger.toFixed(0)}/s`}`,
    );
  };
  // Right before and after each: on a shared machine, what a second does changes within minutes.
  const addMoves = async (what: string, limit: string, measuring: () => Promise<Measurement>) => {
    const before = await movePlainly();
    const measured = await measuring();
    await add(what, limit, measured, (before + (await movePlainly())) / 2);
  };
  const spread: Measurement[] = [];
  const oneRoute: Measurement[] = [];
  let plain = (await movePlainly()) / (sizes.rounds + 1);
  for (let round = 0; round < sizes.rounds; round++) {
    spread.push(await measureTransfers(running, sizes));
    oneRoute.push(await measureOneRoute(running, sizes));
    plain += (await movePlainly()) / (sizes.rounds + 1);
  }
  await add("transfers", "transfers", merge(spread), plain);
  await add("oneRoute", "transfers", merge(oneRoute), plain);
  await addMoves("triggers", "runs", () => measureTriggers(running, sizes));
  await addMoves("arrivals", "runs", () => measureArrivals(running, sizes));
  const decisions = { count: sizes.approvals, concurrency: DECIDERS };
  await addMoves("approvals", "approvals", () => measureApprovals(running, decisions));
  for (const [name, call] of Object.entries(readings(world.lists))) {
    await add(name, name, await measureReading(running, call, sizes), null);
  }
  const single = { deliveries: sizes.deliveries, transfers: SINGLE_TRANSFERS };
  const webhooks = await measureWebhooks(running, receiver, single);
  rows.push(await toWebhookRow(fleet, webhooks, sizes.deliveries));
  return rows;
}

async function measureUnderBackup(
  engine: EngineUnderTest,
  world: World,
  folder: string,
  { product, receiver, backup }: Programs,
  sizes: Sizes,
): Promise<BackupFigures> {
  const fleet = await startFleet(engine, "one", product);
  const running = { engine, world, fleet };
  const program = { path: backup, environment: engine.environment, folder };
  const transfers: Record<Moment, Measurement[]> = { without: [], during: [] };
  const deliveries: Record<Moment, number[]> = { without: [], during: [] };
  let backups = 0;
  const load = async (moment: Moment) => {
    transfers[moment].push(await measureTransfers(running, sizes));
    const single = { deliveries: sizes.deliveries, transfers: 1 };
    const { delivered } = await measureWebhooks(running, receiver, single);
    deliveries[moment].push(sizes.deliveries / delivered.seconds);
  };
  try {
    for (let round = 0; round < sizes.rounds; round++) {
      const moments: Moment[] = ["without", "during"];
      for (const moment of round % 2 === 0 ? moments : moments.reverse()) {
        if (moment === "without") await load(moment);
        else backups += await whileBackingUp(program, () => load(moment));
      }
    }
    const both = <T>(of: (moment: Moment) => T) => ({ without: of("without"), during: of("during") });
    const figures = both((moment) => figuresOf(merge(transfers[moment])));
    say(
      `  during backups: ${figures.during.completedPerSecond.toFixed(0)} transfers/s, without ${figures.without.completedPerSecond.toFixed(0)}`,
    );
    return { backups, transfers: figures, deliveriesPerSecond: both((moment) => median(deliveries[moment])) };
  } finally {
    await fleet.kill();
  }
}

/**
 * One backup after the other, as `npm run backup` writes them, until the work is done.
 * @returns how many
 */
async function whileBackingUp(
  { path, environment, folder }: { path: string; environment: Record<string, string>; folder: string },
  work: () => Promise<void>,
): Promise<number> {
  let isDone = false;
  let backups = 0;
  const backUp = async () => {
    do {
      const out = join(folder, "backup");
      await promisify(execFile)(process.execPath, [path, "--out", out], {
        env: { ...process.env, ...environment },
      });
      await rm(out);
      backups += 1;
    } while (!isDone);
  };
  const measured = work().finally(() => {
    isDone = true;
  });
  await Promise.all([measured, backUp()]);
  return backups;
}

async function toRow(
  fleet: Fleet,
  what: string,
  measured: Measurement,
  limit: Limit | null,
  plainLedger: number | null,
): Promise<Row> {
  return { what, ...figuresOf(measured), residentMib: await fleet.residentMib(), limit, plainLedger };
}

/** Many deliveries give the rate, single transfers the latency. */
async function toWebhookRow(
  fleet: Fleet,
  { delivered, barePerSecond }: Awaited<ReturnType<typeof measureWebhooks>>,
  deliveries: number,
): Promise<Row> {
  const perSecond = deliveries / delivered.seconds;
  const { p50Ms, p99Ms, requests, roundTrips, databaseMs } = figuresOf(delivered);
  const share = requests / deliveries;
  say(`  webhooks ${perSecond.toFixed(0)}/s`);
  return {
    what: "webhooks",
    requests: deliveries,
    perSecond,
    completedPerSecond: perSecond,
    p50Ms,
    p99Ms,
    roundTrips: roundTrips * share,
    databaseMs: databaseMs * share,
    residentMib: await fleet.residentMib(),
    limit: { bare: barePerSecond, pgbench: null },
    plainLedger: null,
  };
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
