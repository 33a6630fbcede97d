import type { BatchApprovalView, BatchLineView } from "@/lib/views/approvals/get-batch-approval";

/** `30 transfers` */
export const transfersWords = (count: number): string => (count === 1 ? "1 transfer" : `${count} transfers`);

/** Where lines go: `Aisha Rahman`; `27 payees`, where all are outside; `5 accounts`. */
export function destinationsOf(view: BatchApprovalView, lines: readonly BatchLineView[]): string {
  const ids = new Set(lines.map(({ destinationId }) => destinationId));
  const [first] = lines;
  if (first && ids.size === 1) return first.destinationName;
  const outside = new Set(view.accounts.filter(({ isOutside }) => isOutside).map(({ id }) => id));
  return `${ids.size} ${[...ids].every((id) => outside.has(id)) ? "payees" : "accounts"}`;
}

/** Where lines come from: `Operating`; `3 accounts`. */
export function sourcesOf(lines: readonly BatchLineView[]): string {
  const ids = new Set(lines.map(({ sourceId }) => sourceId));
  return ids.size === 1 ? (lines[0]?.sourceName ?? "") : `${ids.size} accounts`;
}

export const sumOfLines = (lines: readonly BatchLineView[]): number =>
  lines.reduce((sum, { amountInCents }) => sum + amountInCents, 0);

/** What the recipients read on their statements, where it is the same for all; null: it is not. */
export function sharedLabel(lines: readonly BatchLineView[]): string | null {
  const labels = new Set(lines.map(({ description }) => description));
  return labels.size === 1 ? ([...labels][0] ?? null) : null;
}

/** `Outside, 27 accounts` */
export function accountsWords(view: BatchApprovalView, lines: readonly BatchLineView[]): string {
  const ids = new Set(lines.map(({ destinationId }) => destinationId));
  const outside = new Set(view.accounts.filter(({ isOutside }) => isOutside).map(({ id }) => id));
  const count = ids.size === 1 ? "1 account" : `${ids.size} accounts`;
  return ids.size > 0 && [...ids].every((id) => outside.has(id)) ? `Outside, ${count}` : count;
}
