import { z } from "zod";

const cents = z.int();

/** One account as a run sees it. Null means unknown, never zero (docs/behavior/rules.md). */
export const accountFactsSchema = z.strictObject({
  name: z.string(),
  type: z.enum(["POD", "INCOME_SOURCE", "EXTERNAL_ACCOUNT"]),
  externalAccountType: z.enum(["DEPOSITORY", "INVESTMENT", "LIABILITY"]).nullable(),
  isClosed: z.boolean(),
  /** Its balance; for a liability, what is owed. */
  balanceInCents: cents.nullable(),
  /** What the next transfer could take: minus holds, or minus our pulls since the provider's last update. */
  availableInCents: cents.nullable(),
  floorInCents: cents.nullable(),
  /** Accepted transfers to it that its balance does not include yet: ignoring them would fill or pay it twice. */
  onItsWayInCents: cents,
  nextPaymentMinimumInCents: cents.nullable(),
  lastStatementBalanceInCents: cents.nullable(),
  interestRatePercentage: z.number().nullable(),
  /** For a debt. Absent in facts stored before payments were counted: then the transfers in progress count instead. */
  paid: z
    .strictObject({
      /** Paid by Sluice toward the last statement and the next minimum payment, transfers in progress included. */
      ofStatementInCents: cents,
      ofMinimumInCents: cents,
      lastStatementDate: z.iso.date().nullable(),
      nextPaymentDueDate: z.iso.date().nullable(),
    })
    .optional(),
});
export type AccountFacts = z.infer<typeof accountFactsSchema>;

/** Everything that a plan depends on: with the rule's version, it gives the same plan at any time. */
export const ruleFactsSchema = z.strictObject({
  /** Business time at which they were read. */
  at: z.iso.datetime(),
  /** That moment's calendar date in the organization's time zone. */
  date: z.iso.date(),
  incomingAmountInCents: cents.nullable(),
  /** A person approves this very plan, so floors do not bind it (docs/behavior/rules.md). */
  isApprovedByPerson: z.boolean(),
  accounts: z.record(z.string(), accountFactsSchema),
  /**
   * Used amount of each limit's current period before this run, by the limit's id, 0 included: a missing limit must
   * not count as unused. `TRANSFER` limits have no period and no entry.
   */
  limitsUsedInCents: z.record(z.string(), cents),
  /** What the organization may still send out of Sluice today; absent: no cap. */
  outgoingRoomInCents: cents.optional(),
});
export type RuleFacts = z.infer<typeof ruleFactsSchema>;

/** What a rule's limits have used in the present day, week, month and year: cents by the limit's id. */
export type UsageByPeriod = Record<"DAY" | "WEEK" | "MONTH" | "YEAR", Readonly<Record<string, number>>>;
