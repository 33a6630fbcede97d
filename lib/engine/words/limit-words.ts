import { formatCents } from "@/lib/contract/format-cents";
import type { RuleDefinition } from "@/lib/contract/rules/rule";

type Limit = RuleDefinition["limits"][number];

const PER = {
  TRANSFER: "at a time",
  DAY: "a day",
  WEEK: "a week",
  MONTH: "a month",
  YEAR: "a year",
} as const satisfies Record<Limit["period"], string>;

/** `$6,000.00 a month` */
export function limitWords({ amountInCents, period }: Limit): string {
  return `${formatCents(amountInCents)} ${PER[period]}`;
}

export function findLimit(limits: readonly Limit[], limitId: string | null): Limit | undefined {
  return limitId === null ? undefined : limits.find(({ id }) => id === limitId);
}
