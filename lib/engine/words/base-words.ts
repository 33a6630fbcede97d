import { formatCents } from "@/lib/contract/format-cents";
import type { DryRunBase } from "@/lib/contract/rules/execution";

/**
 * What a dry run was worked out from: "the real balance of Operating and $1,950.00 that would arrive, $16,763.15 together".
 * @param account what the trigger's account is called
 */
export function baseWords(base: DryRunBase, account: string): string {
  const { kind, availableInCents, simulatedIncomingFundsInCents: arriving } = base;
  const total = availableInCents === null ? null : formatCents(availableInCents);
  const added = arriving ? ` and ${formatCents(arriving)} that would arrive` : "";
  if (kind === "REAL_BALANCE") {
    const together = total === null ? "" : `, ${total}${added && " together"}`;
    return `the real balance of ${account}${added}${together}`;
  }
  const within = arriving ? `, ${formatCents(arriving)} of it arriving` : "";
  return `${total ?? "a balance"} in ${account}, given instead of its real balance${within}`;
}
