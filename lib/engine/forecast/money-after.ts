import type { AccountFacts } from "@/lib/contract/rules/facts";

/** The forecast's accounts, by id. */
export type ForecastAccounts = Readonly<Record<string, AccountFacts>>;

export interface ForecastMove {
  sourceAccountId: string;
  destinationAccountId: string;
  amountInCents: number;
  /** Rules that ran before it in its chain; absent: as many as before the others of its forecast. */
  chainDepth?: number;
}

/**
 * The accounts after these moves are accepted and, between own accounts, booked. ACH transfers leave their source
 * immediately and are on their way until they settle (`afterSettlement`). Unknown stays unknown.
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

/** Whether a bank must settle it: one of its accounts is outside. */
export function settlesLater(accounts: ForecastAccounts, move: Omit<ForecastMove, "amountInCents">): boolean {
  return isOutside(accounts, move.sourceAccountId) || isOutside(accounts, move.destinationAccountId);
}

/**
 * The accounts after a bank settles what was on its way to this one. An outside account keeps its old balance until its
 * provider reports the new one.
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
  // Pulling from outside reduces what is available; only the provider reports the balance.
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

/** Connected accounts: their money is at another bank. */
export function isOutside(accounts: ForecastAccounts, accountId: string): boolean {
  return accounts[accountId]?.type === "EXTERNAL_ACCOUNT";
}

/** The account with this much more on its way to it: accepted, but not in its balance yet. */
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
