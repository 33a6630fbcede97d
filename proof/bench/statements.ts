import { mkdtemp, rm } from "node:fs/promises";
import { loadavg } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Client } from "pg";
import { z } from "zod";
import { addCallers, openEmbeddedDatabase, settleDown } from "@/proof/bench/arrange";
import { type Measurement, merge } from "@/proof/bench/measurement";
import { median } from "@/proof/bench/performance/figures";
import { CALLERS } from "@/proof/bench/performance/world";
import { preparePlainLedger } from "@/proof/bench/plain-ledger";
import { benchFolder, renderStatements, saveReport, summarize } from "@/proof/bench/report";
import { measureGroups } from "@/proof/bench/transfer-limits";

const USAGE = `npm run bench:statements -- [--seconds 3] [--rounds 3] [--group 32] [--in-flight 2] [--one-source] [--waiting]
                            [--inside]

The product's SQL alone: transfers in groups, as the product sends them, until they are booked, from a bare loop; in turn
with the plain ledger transaction one by one (proof/bench/plain-ledger.sql). The ratio is what counts.
--one-source takes all money of an organization from one account; --waiting writes proposals that wait. --inside also shows the statements inside functions,
most expensive first; counting them slows everything down, so the ratio of that run says nothing.
`;

const optionsSchema = z.object({
  seconds: z.coerce.number().min(0.2).max(60),
  rounds: z.coerce.number().int().min(1).max(20),
  group: z.coerce.number().int().min(1).max(256),
  "in-flight": z.coerce.number().int().min(1).max(16),
});

/** Measures on an embedded PostgreSQL of its own, prints the ratio and writes `statements.json` in the data folder. */
export async function benchStatements(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seconds: { type: "string", default: "3" },
      rounds: { type: "string", default: "3" },
      group: { type: "string", default: "32" },
      "in-flight": { type: "string", default: "2" },
      "one-source": { type: "boolean", default: false },
      waiting: { type: "boolean", default: false },
      inside: { type: "boolean", default: false },
      help: { type: "boolean" },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return;
  }
  const sizes = optionsSchema.parse(values);
  const loadBefore = loadavg()[0];
  const folder = await mkdtemp(join(await benchFolder(), "statements-"));
  try {
    const database = await openEmbeddedDatabase(folder);
    try {
      const movePlainly = await preparePlainLedger(database, join(folder, "pgbench"));
      const callers = await addCallers(database, CALLERS);
      await settleDown(database);
      if (values.inside) await countInside(database.superuser);
      const plain: number[] = [];
      const measured: Measurement[] = [];
      const rates: number[] = [];
      for (let round = 1; round <= sizes.rounds; round++) {
        plain.push(await movePlainly(sizes.seconds));
        const groups = { size: sizes.group, isOneSource: values["one-source"], isWaiting: values.waiting };
        const options = { concurrency: sizes["in-flight"], seconds: sizes.seconds };
        const one = await measureGroups({ ...database, callers }, groups, options);
        measured.push(one);
        rates.push(summarize("", one).completedPerSecond);
        process.stdout.write(
          `  round ${round}: ${plain.at(-1)?.toFixed(0)} plain, ${rates.at(-1)?.toFixed(0)} completed/s\n`,
        );
      }
      const all = merge(measured);
      const ratio = median(rates) / median(plain);
      const { databaseMsPerTransfer } = summarize("", all);
      process.stdout.write(`
  plain ledger ${median(plain).toFixed(0)}/s, groups of ${sizes.group} ${median(rates).toFixed(0)} completed/s: ratio ${ratio.toFixed(2)}
  ${databaseMsPerTransfer.toFixed(3)} ms in PostgreSQL per transfer, of which per statement:
${renderStatements(all)}
`);
      if (values.inside) await showInside(database.superuser, (measured.at(-1)?.latenciesMs ?? []).length);
      await saveReport(
        "statements.json",
        { plain, rates, ratio, databaseMsPerTransfer },
        { ...sizes, loadBefore },
      );
    } finally {
      await database.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function countInside(superuser: Client): Promise<void> {
  await superuser.query("alter system set pg_stat_statements.track = 'all'");
  await superuser.query("select pg_reload_conf()");
}

/** Of the last round, in microseconds per transfer. The time of a statement includes its triggers and functions. */
async function showInside(superuser: Client, transfers: number): Promise<void> {
  const { rows } = await superuser.query<{ text: string; calls: number; us: number; wal: number }>(
    `select left(regexp_replace(query, '\\s+', ' ', 'g'), 130) as text, calls / $1::float as calls,
        total_exec_time * 1000 / $1 as us, wal_bytes::float / $1 as wal
       from pg_stat_statements where not toplevel order by total_exec_time desc limit 45`,
    [transfers],
  );
  for (const { text, calls, us, wal } of rows)
    process.stdout.write(
      `  ${us.toFixed(1).padStart(7)} us ${calls.toFixed(2).padStart(6)} x ${wal.toFixed(0).padStart(6)} B  ${text}\n`,
    );
}
