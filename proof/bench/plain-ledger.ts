import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createPool } from "@/lib/db/pool";
import { projectPath } from "@/lib/platform/project-path";
import type { BenchDatabase } from "@/proof/bench/arrange";
import { repeat } from "@/proof/bench/measurement";
import { findPgbench, runPgbench } from "@/proof/bench/pgbench";

const CLIENTS = 16;
const ACCOUNTS = 1_600;
const ACCOUNTS_PER_ORGANIZATION = 8;
const SCRIPT = `
\\set from random(0, ${ACCOUNTS - 1})
\\set to (:from / ${ACCOUNTS_PER_ORGANIZATION}) * ${ACCOUNTS_PER_ORGANIZATION} + (:from + 3) % ${ACCOUNTS_PER_ORGANIZATION}
select plain_ledger.move(:from, :to, 100);
`;

/**
 * Writes the plain ledger (`plain-ledger.sql`) beside the product's tables.
 * @param folder for pgbench's script and logs
 * @returns measures its transactions per second: 16 clients of pgbench, or of a bare loop where pgbench is missing
 */
export async function preparePlainLedger(
  { application, superuser }: Pick<BenchDatabase, "application" | "superuser">,
  folder: string,
): Promise<(seconds: number) => Promise<number>> {
  const sql = await readFile(projectPath("proof/bench/plain-ledger.sql"), "utf8");
  await superuser.query(`begin; ${sql} commit`);
  await superuser.query("analyze");
  if ((await findPgbench()) === null) return (seconds) => moveInLoop(application, seconds);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "move.sql"), SCRIPT);
  let rounds = 0;
  return async (seconds) => {
    rounds += 1;
    const files = { folder, scripts: ["move.sql"], logPrefix: `plain-${rounds}` };
    const runs = await runPgbench({ application }, files, { concurrency: CLIENTS, seconds });
    return runs.length / Math.ceil(seconds);
  };
}

async function moveInLoop(application: BenchDatabase["application"], seconds: number): Promise<number> {
  const pool = createPool(application);
  let count = 0;
  const move = async () => {
    count += 1;
    const from = (count * 7) % ACCOUNTS;
    const to = from - (from % ACCOUNTS_PER_ORGANIZATION) + ((from + 3) % ACCOUNTS_PER_ORGANIZATION);
    await pool.query({
      name: "plain_ledger",
      text: "select plain_ledger.move($1, $2, 100)",
      values: [from, to],
    });
  };
  try {
    return (await repeat(move, { concurrency: CLIENTS, seconds })).length / seconds;
  } finally {
    await pool.end();
  }
}
