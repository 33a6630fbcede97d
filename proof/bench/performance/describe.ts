import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { availableParallelism, cpus, loadavg, totalmem } from "node:os";
import { promisify } from "node:util";
import { systemClock } from "@/lib/platform/clock";
import { projectPath } from "@/lib/platform/project-path";
import { median, ratio } from "@/proof/bench/performance/figures";
import { SETUPS, type Setup } from "@/proof/bench/performance/fleet";
import { DEEP_PAGE } from "@/proof/bench/performance/measure-api";
import type { EngineReport, Sizes } from "@/proof/bench/performance/measure-engine";
import type { EngineName } from "@/proof/bench/performance/open-engine";
import { CALLERS } from "@/proof/bench/performance/world";
import { findPgbench } from "@/proof/bench/pgbench";

const ENGINE: Record<EngineName, string> = {
  embedded: "Embedded PostgreSQL, over its socket",
  external: "External PostgreSQL, over TCP with a password",
};
const SETUP: Record<Setup, string> = {
  one: "One process",
  split: "Two processes and a separate worker",
};
const WHAT: Record<string, string> = {
  transfers: "`POST /transfers`, to completed",
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
    `Written by \`npm run bench\`, which you can repeat. Compare ratios rather than figures: ratios hold on
other and busier machines.\n`,
    describeConditions(reports, conditions, sizes),
    describeClaim(reports, sizes),
    ...reports.flatMap((report) => [
      `## ${ENGINE[report.engine]}\n`,
      ...SETUPS.map((setup) => describeRows(report, setup)),
      describePages(report),
    ]),
    READING,
    findings,
  ].join("\n");
}

function describeConditions(reports: readonly EngineReport[], conditions: Conditions, sizes: Sizes): string {
  const versions = [...new Set(reports.map(({ version }) => version))].join(", ");
  const pgbench = conditions.pgbench ?? "not installed, so its columns are empty";
  return `| Measured | |
| --- | --- |
| When, what | ${conditions.date} UTC, commit ${conditions.commit} |
| Machine | ${conditions.cores} × ${conditions.processor}, ${conditions.memoryGib.toFixed(0)} GiB |
| Load average | ${conditions.loadBefore.toFixed(1)} before, ${conditions.loadAfter.toFixed(1)} after: above ${conditions.cores} at the start means that other work was running and only ratios count |
| Software | Node.js ${conditions.node}, PostgreSQL ${versions}, pgbench: ${pgbench} |
| Loads | ${sizes.concurrency} concurrent requests for ${sizes.seconds} s each; one process and two compared in ${sizes.rounds} rounds with ${sizes.inFlight} transfers in flight; lists of an organization with ${sizes.transfers.toLocaleString("en-US")} transfers; ${sizes.approvals} approvals by 4 people at a time; ${sizes.deliveries.toLocaleString("en-US")} deliveries to 4 endpoints |
| Took | ${(conditions.seconds / 60).toFixed(1)} minutes |

The client, the product and PostgreSQL share this machine's ${conditions.cores} cores, so the client is minimal: it keeps
connections open and only reads responses. The server over TCP runs the same binaries as the embedded one, with the same
settings, on the same disk; only the connection differs (local TCP, SCRAM passwords, \`DATABASE_URL\`). Every commit waits for
the disk in both.
`;
}

function describeClaim(reports: readonly EngineReport[], sizes: Sizes): string {
  const rows = reports.map(({ engine, claim }) => {
    const all = (values: readonly number[]) => values.map((value) => whole(value)).join(", ");
    const [one, split] = [median(claim.one), median(claim.split)];
    return `| ${ENGINE[engine]} | ${whole(one)} (${all(claim.one)}) | ${whole(split)} (${all(claim.split)}) | ${decimal(split / one)} | ${claim.holds ? "yes" : "**no**"} |`;
  });
  return `## Two processes and a worker complete at least as many transfers as one process

| Transfers completed per second, median (each round) | One process | Two and a worker | Ratio | Holds |
| --- | ---: | ---: | ---: | --- |
${rows.join("\n")}

How to read it: the same clients request transfers between the pods of ${CALLERS.organizations} organizations, first from one process, then from two in turn, on
the same database, with enough in flight that neither waits for its clients. Each round starts with warm processes and is timed
until the last transfer is booked. With few in flight one process is faster on this machine, because it writes larger groups: see
the tables below, with ${sizes.concurrency} in flight. The exit code is 1 if the ratio of the medians is below 1.
`;
}

function describeRows(report: EngineReport, setup: Setup): string {
  const rows = report.rows[setup].map((row) => {
    const cells = [
      WHAT[row.what] ?? row.what,
      whole(row.completedPerSecond),
      decimal(row.p50Ms, 1),
      decimal(row.p99Ms, 1),
      decimal(row.roundTrips, 1),
      row.residentMib.map((each) => whole(each)).join(" + "),
      row.limit ? whole(row.limit.bare) : "–",
      shown(ratio(row.completedPerSecond, row.limit?.bare ?? null)),
      row.limit?.pgbench ? whole(row.limit.pgbench) : "–",
      shown(ratio(row.completedPerSecond, row.limit?.pgbench ?? null)),
    ];
    return `| ${cells.join(" | ")} |`;
  });
  return `### ${SETUP[setup]}

| | per s | p50 ms | p99 ms | round trips | memory MiB | bare loop/s | ratio | pgbench/s | ratio |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
${rows.join("\n")}
`;
}

function describePages({ pages }: EngineReport): string {
  const rows = pages.one.map((row, index) => {
    const other = pages.split[index];
    const cells = [
      `\`${row.what}\``,
      decimal(1_000 / row.p50Ms, 1),
      decimal(row.p50Ms, 1),
      decimal(row.p99Ms, 1),
      decimal(other?.p50Ms ?? 0, 1),
      decimal(other?.p99Ms ?? 0, 1),
      decimal(row.roundTrips, 1),
      decimal(row.databaseMs, 1),
      shown(ratio(row.databaseMs, row.p50Ms)),
      last(row.residentMib),
    ];
    return `| ${cells.join(" | ")} |`;
  });
  return `### Pages

| Page | per s | p50 ms | p99 ms | p50 ms, two | p99 ms, two | round trips | ms in PostgreSQL | ratio | memory MiB |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
${rows.join("\n")}

How to read it: from the request of a signed-in owner of the organization with long lists to the last byte, one page at a time,
by one process, then by two in turn. The ratio is PostgreSQL's share of the page's time. All pages, for a small and a large
organization: [pages.md](pages.md).
`;
}

const READING = `## How to read the tables

- **per s**: finished per second, effects included: a transfer is booked, a run has moved its money, a delivery is recorded.
- **p50, p99**: for a request, until its response is read; for an approval, from the click until the transfer completes; for a webhook,
  from the request for a single transfer to the arrival of its first event; for an arrival, its booking with the run that it triggers.
- **round trips**: statements that all processes, worker included, sent to PostgreSQL per request. Fewer than a single request needs
  means that requests shared transactions ([decision 0008](decisions/0008-group-writes.md)).
- **memory**: resident memory of each process at the end of the load; the last of three is the worker.
- **bare loop**: the limit. The same statements from a Node loop with the same pool and concurrency, one transaction per request,
  without HTTP, checks or responses. For runs: the rows of their money, without the run. For webhooks: signed and posted, not recorded.
  A ratio above 1 means that sharing transactions saves more than everything else costs.
- **pgbench**: the same statements from PostgreSQL's own client, if installed and applicable: it cannot post, and does not know which
  proposals are waiting.
`;

function last(values: readonly number[]): string {
  return whole(values[values.length - 1] ?? 0);
}

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
