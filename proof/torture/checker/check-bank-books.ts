import { type BankBooks, organizationOf, podOf } from "@/proof/torture/checker/bank-books";
import { groupBy, type Violation } from "@/proof/torture/checker/history";
import type { Database } from "@/proof/torture/checker/read-database";

const ONCE = "an order is sent to the bank once";
const MOVED = "a pod's own account at the bank follows the books";
const AGREED = "the bank holds what the accounts add up to";

/** The bank's own books beside ours: each order is one accepted transfer, and the balances agree to the cent. */
export function checkBankBooks(books: BankBooks, database: Database): Violation[] {
  return [
    ...checkOrders(books, database),
    ...checkAccounts(books),
    ...checkBalances(books, database),
    ...checkPods(books, database),
  ];
}

/** A pod with its own account has its money there, less what is promised, and each move was made once. */
function checkPods(books: BankBooks, { ledgers }: Database): Violation[] {
  const violations = [...groupBy(books.moves, (move) => move.idempotency_key)]
    .filter(([key, same]) => key === null || same.length > 1)
    .map(([key, same]) => ({ promise: MOVED, what: `${same.length} moves were made as ${key}` }));
  for (const { id } of books.accounts) {
    const pod = ledgers.find((ledger) => ledger.id === podOf(books, id));
    if (!pod) continue;
    const here = Math.max(0, pod.creditsInCents - pod.debitsInCents - pod.heldInCents);
    const there = books.transactions
      .filter(({ account_id: accountId }) => accountId === id)
      .reduce((sum, { amount }) => sum + amount, 0);
    if (here !== there) {
      violations.push({
        promise: MOVED,
        what: `pod ${pod.id} has ${here} cents here and ${there} at the bank`,
      });
    }
  }
  return violations;
}

function checkOrders(books: BankBooks, { transfers }: Database): Violation[] {
  const known = new Map(transfers.map((transfer) => [transfer.id, transfer]));
  const violations: Violation[] = [];
  const say = (what: string) => violations.push({ promise: ONCE, what });
  for (const [key, orders] of groupBy(books.orders, (order) => order.idempotency_key)) {
    const ids = orders.map(({ id }) => id).join(" and ");
    const transfer = known.get(key ?? "");
    if (orders.length > 1) say(`${key} became ${ids}`);
    if (!transfer) {
      say(`nobody asked for order ${ids} with the key ${key}`);
      continue;
    }
    for (const order of orders) {
      if (organizationOf(books, order.account_id) !== transfer.organizationId) {
        say(`order ${order.id} is on the account of another organization`);
      }
      const wanted = transfer.direction === "MONEY_OUT" ? transfer.amountInCents : -transfer.amountInCents;
      if (transfer.direction === "INTERNAL" || order.amount !== wanted) {
        say(
          `order ${order.id} of ${order.amount} belongs to ${transfer.direction} ${transfer.amountInCents}`,
        );
      }
      if (transfer.acceptedAt === null) say(`order ${order.id} left without an acceptance`);
    }
  }
  return violations;
}

function checkAccounts({ accounts }: BankBooks): Violation[] {
  return [...groupBy(accounts, (account) => account.idempotency_key)]
    .filter(([key, same]) => key === null || same.length > 1)
    .map(([key, same]) => ({ promise: AGREED, what: `${same.length} accounts were opened as ${key}` }));
}

/** Everything has come to rest: nothing is on its way between the two. */
function checkBalances(books: BankBooks, { ledgers }: Database): Violation[] {
  const atBank = new Map<string, number>();
  for (const { account_id: accountId, amount } of books.transactions) {
    const organizationId = organizationOf(books, accountId);
    atBank.set(organizationId, (atBank.get(organizationId) ?? 0) + amount);
  }
  const managed = groupBy(
    ledgers.filter(({ kind }) => kind === "MANAGED"),
    ({ organizationId }) => organizationId,
  );
  const violations: Violation[] = [];
  for (const [organizationId, own] of managed) {
    const here = own.reduce(
      (sum, { creditsInCents, debitsInCents }) => sum + creditsInCents - debitsInCents,
      0,
    );
    const there = atBank.get(organizationId);
    if (here !== there) {
      violations.push({
        promise: AGREED,
        what: `organization ${organizationId} has ${here} cents here and ${there} at the bank`,
      });
    }
  }
  return violations;
}
