import type { Queryable } from "@/lib/db/transaction";
import type { BankPort } from "@/lib/ports/bank/bank-port";

/**
 * A database keeps the bank that it was first started with: its balances are that bank's, and sandbox money must never
 * be taken for real money. With real money, outgoing caps apply from then on (`outgoing_cap`).
 * @param bank null: the built-in sandbox bank
 * @throws Error for the operator
 */
export async function requireSameBank(
  database: Queryable,
  bank: Pick<BankPort, "name" | "isSandbox"> | null,
  now: Date,
): Promise<void> {
  if (bank) {
    await database.query({
      name: "keep_bank",
      text: `insert into bank_in_use (name, is_production, since) values ($1, $2, $3) on conflict do nothing`,
      values: [bank.name, !bank.isSandbox, now],
    });
  }
  const { rows } = await database.query<{ name: string; isProduction: boolean }>({
    name: "read_bank",
    text: `select name, is_production as "isProduction" from bank_in_use`,
  });
  const [kept] = rows;
  if (!kept || (bank && kept.name === bank.name && kept.isProduction === !bank.isSandbox)) return;
  const before = kept.isProduction ? `real money at ${kept.name}` : `money in the sandbox of ${kept.name}`;
  throw new Error(
    `This database has ${before}, and its balances hold only there. Start it with that bank, or use an empty database.`,
  );
}
