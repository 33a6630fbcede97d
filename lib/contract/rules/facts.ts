import { z } from "zod";

const cents = z.int();

/** One account as a run sees it. Null is «not known», never zero (decisions page, "Unknown balance is never zero"). */
export const accountFactsSchema = z.strictObject({
  name: z.string(),
  type: z.enum(["POD", "INCOME_SOURCE", "EXTERNAL_ACCOUNT"]),
  externalAccountType: z.enum(["DEPOSITORY", "INVESTMENT", "LIABILITY"]).nullable(),
  isClosed: z.boolean(),
  /** What it holds; of a liability what is owed. */
  balanceInCents: cents.nullable(),
  /** What the next transfer could take: less holds, or less our pulls since the provider's last word. */
  availableInCents: cents.nullable(),
  floorInCents: cents.nullable(),
  /** Accepted towards it and not in its balance yet: filling it up again, or paying it again, would be once too often. */
  onItsWayInCents: cents,
  nextPaymentMinimumInCents: cents.nullable(),
  lastStatementBalanceInCents: cents.nullable(),
  interestRatePercentage: z.number().nullable(),
  /**
   * Of a debt. Absent in facts that were stored before payments were counted: what was on its way stands for them.
   */
  paid: z
    .strictObject({
      /** By Sluice, of the last statement and of the next minimum payment, what is on its way included. */
      ofStatementInCents: cents,
      ofMinimumInCents: cents,
      lastStatementDate: z.iso.date().nullable(),
      nextPaymentDueDate: z.iso.date().nullable(),
    })
    .optional(),
});
export type AccountFacts = z.infer<typeof accountFactsSchema>;

/** Everything that a plan follows from: with the rule's version, it gives the same plan at any time. */
export const ruleFactsSchema = z.strictObject({
  /** Business time at which they were read. */
  at: z.iso.datetime(),
  /** That moment's calendar date in the organization's time zone. */
  date: z.iso.date(),
  incomingAmountInCents: cents.nullable(),
  /** A person approves this very plan, so floors do not bind it (decisions page, "Floor"). */
  isApprovedByPerson: z.boolean(),
  accounts: z.record(z.string(), accountFactsSchema),
  /**
   * What each limit's current period has used before this run, by the limit's id, 0 included: a limit that is missing
   * here is not taken for unused. `TRANSFER` limits count nothing over time and have no entry.
   */
  limitsUsedInCents: z.record(z.string(), cents),
});
export type RuleFacts = z.infer<typeof ruleFactsSchema>;
