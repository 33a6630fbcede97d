import { spawnSync } from "node:child_process";
import { parseCsv } from "@/lib/testing/parse-csv";
import type { ReadJournal } from "@/lib/testing/parse-journal";

const hasHledger = spawnSync("hledger", ["--version"]).status === 0;
let isTold = false;

/**
 * Has hledger check the books and add them up, and compares every balance with what our own reader found. Where hledger
 * is not installed the caller's own checks stand alone, and the terminal says so.
 * @throws Error with hledger's words, or naming the account that differs.
 */
export function checkWithHledger(journal: string, read: ReadJournal): void {
  if (!hasHledger) {
    if (!isTold)
      process.stderr.write("hledger is not installed: these books were read by our own reader alone.\n");
    isTold = true;
    return;
  }
  run(journal, ["check", "accounts", "commodities", "ordereddates"]);
  const [, ...lines] = parseCsv(
    run(journal, ["balance", "--output-format", "csv", "--flat", "--empty", "--no-total"]),
  );
  const found = new Map(lines.map(([account = "", amount = ""]) => [account, toCents(amount)]));
  for (const [account, cents] of read.balances) {
    if ((found.get(account) ?? 0n) !== cents)
      throw new Error(`hledger says ${found.get(account)} cents for ${account}, we read ${cents}`);
    found.delete(account);
  }
  if (found.size > 0)
    throw new Error(`hledger knows accounts that the books do not: ${[...found.keys()].join(", ")}`);
  const count = run(journal, ["print", "--output-format", "csv"]);
  const transactions = new Set(
    parseCsv(count)
      .slice(1)
      .map(([index]) => index),
  );
  if (transactions.size !== read.transactionCount)
    throw new Error(`hledger reads ${transactions.size} movements, we read ${read.transactionCount}`);
}

function run(journal: string, parameters: string[]): string {
  const { status, stdout, stderr } = spawnSync("hledger", ["--file", "-", ...parameters], {
    input: journal,
    encoding: "utf8",
    maxBuffer: 256_000_000,
    env: { ...process.env, LANG: "C.UTF-8", LC_ALL: "C.UTF-8" },
  });
  if (status !== 0 || stderr !== "") throw new Error(`hledger ${parameters[0]}: ${stderr}`);
  // No field of these books has a line end in it.
  return stdout.replaceAll("\n", "\r\n");
}

/** `$-12.50`, or `0`. */
function toCents(amount: string): bigint {
  const found = /^\$?(-?)\$?(\d+)(?:\.(\d{2}))?$/.exec(amount);
  if (!found) throw new Error(`hledger wrote an amount that we do not read: ${amount}`);
  const [, sign, whole = "0", cents = "00"] = found;
  return BigInt(`${sign}${whole}${cents}`);
}
