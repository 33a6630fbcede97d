import { formatDate } from "@/components/time/format-instant";
import { formatCents } from "@/lib/contract/format-cents";
import type { ManagedAccountView, OwedAccountView } from "@/lib/contract/views/accounts-view";
import type { TimeContext } from "@/lib/contract/views/time-context";

interface Described {
  description?: string | null;
  institutionName: string | null;
  numberEnding: string | null;
}

/** Under an account's name: `First Harbor, ••••8820`. */
export function aboutAccount({ description, institutionName, numberEnding }: Described): string | null {
  const number = numberEnding ? `••••${numberEnding}` : null;
  return [description, institutionName, number].filter(Boolean).join(", ") || null;
}

/** Under a debt's name: `Summit, ••••5518. Paid from Operating`. */
export function aboutOwed(account: OwedAccountView): string | null {
  const paidFrom = account.paidFromName ? `Paid from ${account.paidFromName}` : null;
  return [aboutAccount(account), paidFrom].filter(Boolean).join(". ") || null;
}

/** `Statement $2,318.40, minimum $75.00, due 25 Nov` */
export function statementWords(
  { statementInCents, minimumInCents, dueOn }: OwedAccountView,
  time: TimeContext,
): string | null {
  const parts = [
    statementInCents === null ? null : `statement ${formatCents(statementInCents)}`,
    minimumInCents === null ? null : `minimum ${formatCents(minimumInCents)}`,
    dueOn === null ? null : `due ${formatDate(dueOn, time)}`,
  ].filter((part) => part !== null);
  if (parts.length === 0) return null;
  const words = parts.join(", ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** How far a savings goal is reached, in whole percent, rounded down: 100 only when it is reached. */
export function goalPercent({
  balanceInCents,
  goalInCents,
}: Pick<ManagedAccountView, "balanceInCents" | "goalInCents">): number {
  if (!goalInCents) return 0;
  return Math.min(100, Math.max(0, Math.floor((balanceInCents * 100) / goalInCents)));
}
