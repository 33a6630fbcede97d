import type { AccountFacts } from "@/lib/contract/rules/facts";

/** What a forecast knows of every account that it may touch, by id. */
export type ForecastAccounts = Readonly<Record<string, AccountFacts>>;

export interface ForecastMove {
  sourceAccountId: string;
  destinationAccountId: string;
  amountInCents: number;
}

/**
 * The accounts once these moves were accepted and, where we book them ourselves, booked. What goes over ACH leaves its
 * source at once and is on its way to its destination until it settles (`afterSettlement`). Not known stays not known.
 */
export function afterMoves(accounts: ForecastAccounts, moves: readonly ForecastMove[]): ForecastAccounts {
  const after: Record<string, AccountFacts> = { ...accounts };
  for (const move of moves) {
    const source = after[move.sourceAccountId];
    if (source) after[move.sourceAccountId] = taken(source, move.amountInCents);
    const destination = after[move.destinationAccountId];
    if (!destination) continue;
    after[move.destinationAccountId] = settlesLater(accounts, move)
      ? withOnItsWay(destination, move.amountInCents)
      : given(destination, move.amountInCents);
  }
  return after;
}

/** Whether a bank has to settle it: one of its accounts is outside. */
export function settlesLater(accounts: ForecastAccounts, move: Omit<ForecastMove, "amountInCents">): boolean {
  return isOutside(accounts, move.sourceAccountId) || isOutside(accounts, move.destinationAccountId);
}

/**
 * The accounts once a bank has settled what was on its way to this one. Outside, its provider has yet to say so, and
 * until then a run sees the old balance.
 */
export function afterSettlement(
  accounts: ForecastAccounts,
  arrival: { accountId: string; amountInCents: number },
): ForecastAccounts {
  const account = accounts[arrival.accountId];
  if (!account || account.type === "EXTERNAL_ACCOUNT") return accounts;
  const onItsWayInCents = Math.max(0, account.onItsWayInCents - arrival.amountInCents);
  return { ...accounts, [arrival.accountId]: given({ ...account, onItsWayInCents }, arrival.amountInCents) };
}

function taken(account: AccountFacts, amountInCents: number): AccountFacts {
  const availableInCents = plus(account.availableInCents, -amountInCents);
  // What is pulled from outside is less to pull; its balance is its provider's to say.
  if (account.type === "EXTERNAL_ACCOUNT") return { ...account, availableInCents };
  return { ...account, availableInCents, balanceInCents: plus(account.balanceInCents, -amountInCents) };
}

function given(account: AccountFacts, amountInCents: number): AccountFacts {
  return {
    ...account,
    balanceInCents: plus(account.balanceInCents, amountInCents),
    availableInCents: plus(account.availableInCents, amountInCents),
  };
}

function plus(known: number | null, amountInCents: number): number | null {
  return known === null ? null : known + amountInCents;
}

/** Connected: its money is at another bank. */
export function isOutside(accounts: ForecastAccounts, accountId: string): boolean {
  return accounts[accountId]?.type === "EXTERNAL_ACCOUNT";
}

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
