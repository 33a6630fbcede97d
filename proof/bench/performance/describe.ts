import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { availableParallelism, cpus, loadavg, totalmem } from "node:os";
import { promisify } from "node:util";
import { systemClock } from "@/lib/platform/clock";
import { projectPath } from "@/lib/platform/project-path";
import { median, ratio } from "@/proof/bench/performance/figures";
import { DEEP_PAGE } from "@/proof/bench/performance/measure-api";
import type { EngineReport, Row, Sizes } from "@/proof/bench/performance/measure-engine";
import type { EngineName } from "@/proof/bench/performance/open-engine";
import { CALLERS } from "@/proof/bench/performance/world";
import { findPgbench } from "@/proof/bench/pgbench";

const ENGINE: Record<EngineName, string> = {
  embedded: "Embedded PostgreSQL, over its socket",
  external: "External PostgreSQL, over TCP with a password",
};
const WHAT: Record<string, string> = {
  transfers: "`POST /transfers`, to completed",
  oneRoute: "The same from one account to one other",
  getTransfer: "`GET /transfers/{id}`",
  getAccount: "`GET /accounts/{id}`",
  listAccounts: "`GET /accounts`",
  listTransfers: "`GET /transfers`, page 1",
  listTransfersDeep: `\`GET /transfers\`, page ${DEEP_PAGE.toLocaleString("en-US")}`,
  triggers: "`POST /rules/{id}/trigger`, to the end of the run",
  arrivals: "Runs triggered by arrivals",
  approvals: "Approvals, from the click to completed",
  webhooks: "Webhook deliveries",
};

/** The report as a page of the documentation; findings are kept in a file beside this one. */
export async function describe(
  reports: readonly EngineReport[],
  conditions: Conditions,
  sizes: Sizes,
): Promise<string> {
  const findings = await readFile(projectPath("proof/bench/performance/findings.md"), "utf8");
  return [
    "# Performance\n",
    `Written by \`npm run bench\`. Compare ratios rather than figures: they hold on other and busier machines. Page
times: [pages.md](pages.md).\n`,
    describeConditions(reports, conditions, sizes),
    ...reports.map((report) => describeEngine(report, sizes)),
    READING,
    findings,
  ].join("\n");
}

function describeConditions(reports: readonly EngineReport[], conditions: Conditions, sizes: Sizes): string {
  const versions = [...new Set(reports.map(({ version }) => version))].join(", ");
  const pgbench = conditions.pgbench ?? "no pgbench, so bare loops replace it";
  return `| Measured | |
| --- | --- |
| When, what | ${conditions.date} UTC, commit ${conditions.commit}, ${(conditions.seconds / 60).toFixed(1)} minutes |
| Machine | ${conditions.cores} × ${conditions.processor}, ${conditions.memoryGib.toFixed(0)} GiB; client, product and PostgreSQL share its cores |
| Load average | ${conditions.loadBefore.toFixed(1)} before, ${conditions.loadAfter.toFixed(1)} after: above ${conditions.cores} at the start means that other work was running |
| Software | Node.js ${conditions.node}, PostgreSQL ${versions}, ${pgbench} |
| Loads | ${sizes.concurrency} concurrent requests of ${CALLERS.organizations} organizations for ${sizes.seconds} s each; lists of at least ${sizes.transfers.toLocaleString("en-US")} transfers; ${sizes.approvals} approvals by 4 people at a time, each of other accounts; ${sizes.deliveries.toLocaleString("en-US")} deliveries to 4 endpoints |
`;
}

function describeEngine(report: EngineReport, sizes: Sizes): string {
  const rows = report.rows.one.map((row, index) => {
    const split = report.rows.split[index];
    const cells = [
      WHAT[row.what] ?? row.what,
      whole(row.completedPerSecond),
      decimal(row.p99Ms, 0),
      whole(split?.completedPerSecond ?? 0),
      decimal(split?.p99Ms ?? 0, 0),
      decimal(row.roundTrips, 1),
      shown(ratio(row.completedPerSecond, row.plainLedger)),
      shown(ratio(row.completedPerSecond, row.limit?.bare ?? null)),
      shown(ratio(row.completedPerSecond, row.limit?.pgbench ?? null)),
    ];
    return `| ${cells.join(" | ")} |`;
  });
  const { claim, backup } = report;
  const plainOf = (rows: readonly Row[]) =>
    rows.flatMap(({ plainLedger }) => (plainLedger === null ? [] : [plainLedger]));
  const all = (values: readonly number[]) => values.map((value) => whole(value)).join(", ");
  const { without, during } = backup.transfers;
  const deliveries = backup.deliveriesPerSecond;
  const memory = (rows: readonly Row[]) =>
    (rows.at(-1)?.residentMib ?? []).map((each) => whole(each)).join(" + ");
  return `## ${ENGINE[report.engine]}

| | one process, per s | p99 ms | two and a worker, per s | p99 ms | round trips | of plain ledger | of bare loop | of pgbench |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
${rows.join("\n")}

- Plain ledger transactions per second beside these loads: ${all(plainOf(report.rows.one))} with one process, ${all(plainOf(report.rows.split))} with two and a worker.
- Transfers completed per second with ${sizes.inFlight} in flight, median of rounds in turn: one process ${whole(median(claim.one))} (${all(claim.one)}),
  two and a worker ${whole(median(claim.split))} (${all(claim.split)}), ratio ${decimal(median(claim.split) / median(claim.one))}. Below 1 the exit code is 1.
- During backups (${backup.backups} written), in turn with loads without: transfers ${whole(during.completedPerSecond)} per second instead of ${whole(without.completedPerSecond)}, p99 ${decimal(during.p99Ms, 0)} ms instead of ${decimal(without.p99Ms, 0)},
  webhook deliveries ${whole(deliveries.during)} per second instead of ${whole(deliveries.without)}.
- Memory at the end: ${memory(report.rows.one)} MiB; of two and a worker ${memory(report.rows.split)} MiB.
`;
}

const READING = `## How to read the tables

Each load runs unmeasured first, the first one until each process has answered 5,000 requests: a new process completes
400 transfers in its first second and 2,000 in its seventh, when its code is compiled and its keys have been seen.

- **per s**: finished per second, effects included: a transfer is booked, a run has moved its money, a delivery is recorded.
- **p99**: for a request, until its response is read; for an approval, from the click until the transfer completes; for a webhook,
  from the request for a single transfer to the arrival of its first event; for an arrival, its booking with the run that it triggers.
- **round trips**: statements that one process, its worker included, sent to PostgreSQL per request. Concurrent requests share
  them ([decision 0008](decisions/0008-group-writes.md)). For approvals, the notices and messages that follow are included: from the
  click to the completed transfer there are 10 to 12, by way of confirmation, with both reads of the session
  (tested in \`lib/core/approvals/decide-proposal.test.ts\`).
- **of plain ledger**: relative to the least that a ledger writes for one move of money, one function call per move, from 16 clients
  ([plain-ledger.sql](../proof/bench/plain-ledger.sql)), measured right before and after the load, and between rounds of
  transfers. Its SQL is fixed, so this ratio also shows when the product's own statements get heavier, which the other
  limits hide. \`npm run bench:statements\` measures the product's statements alone beside it.
- **of bare loop, of pgbench**: relative to the same statements from a Node loop or from pgbench, one transaction per request, without
  HTTP, checks or responses. For runs: the rows of their money, without the run. For webhooks: signed and posted, not recorded.
`;

function whole(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}

function decimal(value: number, digits = 2): string {
  return value.toFixed(digits);
}

function shown(value: number | null): string {
  return value === null ? "–" : decimal(value);
}

/** The conditions of the figures, besides the product. */
export interface Conditions {
  date: string;
  /** Short, with a note if files differ from it. */
  commit: string;
  processor: string;
  cores: number;
  memoryGib: number;
  node: string;
  /** Null: not installed. */
  pgbench: string | null;
  loadBefore: number;
  loadAfter: number;
  seconds: number;
}

export async function readConditions(loadBefore: number, seconds: number): Promise<Conditions> {
  return {
    date: systemClock.now().toISOString().slice(0, 16).replace("T", " "),
    commit: await readCommit(),
    processor: cpus()[0]?.model ?? "unknown",
    cores: availableParallelism(),
    memoryGib: totalmem() / 2 ** 30,
    node: process.version,
    pgbench: await findPgbench(),
    loadBefore,
    loadAfter: loadavg()[0] ?? 0,
    seconds,
  };
}

async function readCommit(): Promise<string> {
  const git = async (...words: string[]) =>
    (await promisify(execFile)("git", words, { cwd: projectPath(".") })).stdout.trim();
  try {
    const isChanged = (await git("status", "--porcelain", "--untracked-files=no")) !== "";
    return `${await git("rev-parse", "--short", "HEAD")}${isChanged ? ", with changes" : ""}`;
  } catch {
    // Unpacked without git: the figures hold, but their version is unknown.
    return "unknown";
  }
}
