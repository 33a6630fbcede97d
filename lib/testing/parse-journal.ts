/** A strict reader of plain-text books: only what the year's journal may hold, every balance and assertion checked. */

export interface ReadJournal {
  /** In cents, by account, after everything. */
  balances: Map<string, bigint>;
  transactionCount: number;
  assertionCount: number;
}

const TRANSACTION = /^(\d{4}-\d{2}-\d{2}) \*(?: \(([0-9a-f-]{36})\))? ([^;|]+)$/;
const POSTING = /^ {4}([^ ;](?:[^ ;]| (?! ))*) {2}\$(-?\d+\.\d{2})(?: = \$(-?\d+\.\d{2}))?$/;
const TAG = /^ {4}; [a-z-]+: \S[^\n]*$/;
const ACCOUNT = /^account ((?:assets|equity):[^;:]+)$/;

/** @throws Error at the first line that does not belong, transaction that does not balance, or assertion that fails. */
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
