import type { BankStatementLine } from "@/lib/ports/bank/bank-port";
import type { createReconciliationScene } from "@/lib/testing/reconciliation/reconciliation-scene";

const MAXIMUM_LINES = 100;

/** A bank whose statement and balance are changed on the way. */
export function misreporting(
  { ports }: Pick<Awaited<ReturnType<typeof createReconciliationScene>>, "ports">,
  change: (lines: BankStatementLine[]) => BankStatementLine[],
) {
  const { bank } = ports;
  const all = async (input: { organizationId: string; businessNow: Date }) => {
    const { lines } = await bank.statement({
      ...input,
      from: new Date(0),
      cursor: null,
      limit: MAXIMUM_LINES,
    });
    return change(lines);
  };
  return {
    ...ports,
    bank: {
      ...bank,
      statement: async (input: Parameters<typeof bank.statement>[0]) => ({
        lines: (await all(input)).filter(({ bookedAt }) => bookedAt >= input.from),
        nextCursor: null,
      }),
      balance: async (input: Parameters<typeof bank.balance>[0]) => {
        const inCents = (await all(input)).reduce((sum, { amountInCents }) => sum + amountInCents, 0);
        return { currentInCents: inCents, availableInCents: inCents, asOf: input.businessNow };
      },
    },
  };
}
