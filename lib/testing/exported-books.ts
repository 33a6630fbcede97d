import { spawnSync } from "node:child_process";
import type { Pool } from "pg";
import { exportBooks } from "@/lib/core/exports/export-books";
import { inTransaction } from "@/lib/db/transaction";

/** Whatever clock a test has moved, everything booked is earlier. */
const AFTER_ALL = new Date("2999-01-01T12:00:00Z");

/**
 * Exports an organization's books and has them read by our own reader and, if installed, by hledger; then compares
 * every balance with the ledgers, to the cent.
 * @throws Error naming the difference
 */
export async function readExportedBooks(pool: Pool, organizationId: string): Promise<ReadJournal> {
  const { text, balances } = await inTransaction(
    pool,
    async (client) => {
      const books = await exportBooks(client, organizationId, AFTER_ALL, "books.journal");
      const texts: string[] = [];
      for await (const part of books?.texts ?? []) texts.push(part);
      const { rows } = await client.query<{ balance: string }>(
        `select (l.credits_in_cents - l.debits_in_cents)::text as balance
           from ledgers l left join accounts a on a.organization_id = $1 and a.id = l.id
          where l.organization_id = $1 order by a.created_at, l.id`,
        [organizationId],
      );
      return { text: texts.join(""), balances: rows.map(({ balance }) => BigInt(balance)) };
    },
    { isolation: "repeatable read", readOnly: true },
  );
  const read = parseJournal(text);
  checkWithHledger(text, read);
  // Accounts in the order of opening, the bank's side last.
  const found = [...read.balances.values()];
  if (found.join() !== balances.join())
    throw new Error(`The books say ${found.join()}, the ledgers ${balances.join()}`);
  return read;
}

const hasHledger = spawnSync("hledger", ["--version"]).status === 0;
let isReported = false;

/**
 * Has hledger check and sum up the books, and compares every balance with our own reader's. Without hledger only the
 * caller's checks apply, and the terminal says so.
 * @throws Error with hledger's message, or naming the account that differs
 */
export function checkWithHledger(journal: string, read: ReadJournal): void {
  if (!hasHledger) {
    if (!isReported)
      process.stderr.write("hledger is not installed: these books were read by our own reader alone.\n");
    isReported = true;
    return;
  }
  run(journal, ["check", "accounts", "commodities", "ordereddates"]);
  const [, ...lines] = parseCsv(
    run(journal, ["balance", "--output-format", "csv", "--flat", "--empty", "--no-total"]),
  );
  const found = new Map(lines.map(([account = "", amount = ""]) => [account, readHledgerCents(amount)]));
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
  // No field of these books contains a line break.
  return stdout.replaceAll("\n", "\r\n");
}

/** `$-12.50`, or `0`. */
function readHledgerCents(amount: string): bigint {
  const found = /^\$?(-?)\$?(\d+)(?:\.(\d{2}))?$/.exec(amount);
  if (!found) throw new Error(`hledger wrote an amount that we do not read: ${amount}`);
  const [, sign, whole = "0", cents = "00"] = found;
  return BigInt(`${sign}${whole}${cents}`);
}

/** The records of a CSV file (RFC 4180, CRLF), without its byte order mark. @throws Error if it is malformed */
export function parseCsv(text: string): string[][] {
  const records: string[][] = [];
  let fields: string[] = [];
  let rest = text.replace(/^\uFEFF/, "");
  while (rest !== "") {
    const field = /^(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/.exec(rest);
    if (!field) throw new Error(`No field begins here: ${JSON.stringify(rest.slice(0, 80))}`);
    fields.push(field[1]?.replaceAll('""', '"') ?? field[2] ?? "");
    if (field[3] === "\r\n") {
      records.push(fields);
      fields = [];
    }
    rest = rest.slice(field[0].length);
  }
  if (fields.length > 0) throw new Error("The last line does not end");
  return records;
}

/**
 * A strict reader of plain-text books: accepts only what the year's journal may contain, and checks every balance and
 * assertion.
 */

interface ReadJournal {
  /** In cents, by account, after all transactions. */
  balances: Map<string, bigint>;
  transactionCount: number;
  assertionCount: number;
}

const TRANSACTION = /^(\d{4}-\d{2}-\d{2}) \*(?: \(([0-9a-f-]{36})\))? ([^;|]+)$/;
const POSTING = /^ {4}([^ ;](?:[^ ;]| (?! ))*) {2}\$(-?\d+\.\d{2})(?: = \$(-?\d+\.\d{2}))?$/;
const TAG = /^ {4}; [a-z-]+: \S[^\n]*$/;
const ACCOUNT = /^account ((?:assets|equity):[^;:]+)$/;

/** @throws Error at the first unexpected line, unbalanced transaction, or failed assertion */
export function parseJournal(text: string): ReadJournal {
  const balances = new Map<string, bigint>();
  let transactionCount = 0;
  let assertionCount = 0;
  let open: bigint | null = null;
  let lastDay = "";
  const fail = (line: string, why: string): never => {
    throw new Error(`${why}: ${JSON.stringify(line)}`);
  };
  for (const line of text.split("\n")) {
    if (line === "") {
      if (open !== null && open !== 0n) fail(line, `a transaction is ${open} cents out of balance`);
      open = null;
      continue;
    }
    const account = ACCOUNT.exec(line)?.[1];
    const transaction = TRANSACTION.exec(line);
    const posting = POSTING.exec(line);
    if (account !== undefined) {
      if (balances.has(account)) fail(line, "declared twice");
      balances.set(account, 0n);
    } else if (transaction) {
      if (open !== null) fail(line, "a transaction inside another");
      if ((transaction[1] ?? "") < lastDay) fail(line, "out of order");
      lastDay = transaction[1] ?? "";
      open = 0n;
      transactionCount += 1;
    } else if (posting) {
      const [, name = "", change = "", asserted] = posting;
      const before = balances.get(name);
      if (before === undefined || open === null) return fail(line, "no such account, or no transaction");
      const cents = toCents(change);
      balances.set(name, before + cents);
      open += cents;
      if (asserted !== undefined) {
        assertionCount += 1;
        if (before + cents !== toCents(asserted)) fail(line, `it is ${before + cents} cents`);
      }
    } else if (!TAG.test(line) && !line.startsWith("; ") && !HEAD.includes(line)) {
      fail(line, "not understood");
    }
  }
  return { balances, transactionCount, assertionCount };
}

const HEAD = ["commodity $", "    format $1000.00"];

const toCents = (amount: string) => BigInt(amount.replace(".", ""));
