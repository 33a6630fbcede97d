import type { AccountFacts } from "@/lib/contract/rules/facts";

/** The account once this much more is on its way to it: accepted, and not in its balance yet. */
export function withOnItsWay(account: AccountFacts, amountInCents: number): AccountFacts {
  const { paid } = account;
  return {
    ...account,
    onItsWayInCents: account.onItsWayInCents + amountInCents,
    ...(paid && {
      paid: {
        ...paid,
        ofStatementInCents: paid.ofStatementInCents + amountInCents,
        ofMinimumInCents: paid.ofMinimumInCents + amountInCents,
      },
    }),
  };
}
