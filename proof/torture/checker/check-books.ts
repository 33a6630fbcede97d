import { groupBy, type OpenedOrganization, type Violation } from "@/proof/torture/checker/history";
import type { BankOrderRow, Database, TransferRow } from "@/proof/torture/checker/read-database";

const CONSERVED = "no cent is lost or created";
const ONCE = "money moves once, and as the bank says";

/** Conservation: balances follow from entries, entries from transfers, and those from the bank's actions. */
export function checkBooks(database: Database, opened: readonly OpenedOrganization[]): Violation[] {
  return [
    ...checkLedgers(database),
    ...checkHolds(database),
    ...checkEntriesOfTransfers(database),
    ...checkBank(database),
    ...checkDeposits(database, opened),
  ];
}

function checkLedgers({ ledgers, entries }: Database): Violation[] {
  const net = new Map<string, number>();
  const add = (key: string, cents: number) => net.set(key, (net.get(key) ?? 0) + cents);
  for (const { organizationId, debitId, creditId, amountInCents } of entries) {
    add(`${organizationId} ${debitId}`, -amountInCents);
    add(`${organizationId} ${creditId}`, amountInCents);
  }
  const violations: Violation[] = [];
  const sums = new Map<string, number>();
  for (const ledger of ledgers) {
    const balance = ledger.creditsInCents - ledger.debitsInCents;
    const booked = net.get(`${ledger.organizationId} ${ledger.id}`) ?? 0;
    sums.set(ledger.organizationId, (sums.get(ledger.organizationId) ?? 0) + balance);
    if (balance !== booked) {
      violations.push({
        promise: CONSERVED,
        what: `ledger ${ledger.id} has ${balance}, its entries ${booked}`,
      });
    }
    const available = balance - ledger.heldInCents;
    if (ledger.kind === "MANAGED" && available < -ledger.shortfallInCents) {
      violations.push({
        promise: "no account spends more than it has",
        what: `ledger ${ledger.id} has ${available}`,
      });
    }
  }
  for (const [organizationId, sum] of sums) {
    if (sum !== 0)
      violations.push({ promise: CONSERVED, what: `organization ${organizationId} sums up to ${sum}` });
  }
  return violations;
}

function checkHolds({ ledgers, transfers, unavailable }: Database): Violation[] {
  const held = new Map<string, number>();
  for (const { sourceId, holdInCents } of transfers) {
    if (sourceId !== null) held.set(sourceId, (held.get(sourceId) ?? 0) + holdInCents);
  }
  const destinations = new Map(transfers.map(({ id, destinationId }) => [id, destinationId]));
  for (const { transferId, holdInCents } of unavailable) {
    const destinationId = destinations.get(transferId) ?? "none";
    held.set(destinationId, (held.get(destinationId) ?? 0) + holdInCents);
  }
  return ledgers
    .filter(({ id, kind, heldInCents }) => kind === "MANAGED" && heldInCents !== (held.get(id) ?? 0))
    .map(({ id, heldInCents }) => ({
      promise: "a hold belongs to a transfer",
      what: `ledger ${id} holds ${heldInCents}, its transfers ${held.get(id) ?? 0}`,
    }));
}

/** Each state has exactly the entries that belong to it. */
function checkEntriesOfTransfers({ transfers, entries, ledgers }: Database): Violation[] {
  const clearing = new Map(
    ledgers.filter(({ kind }) => kind === "CLEARING").map(({ organizationId, id }) => [organizationId, id]),
  );
  const byTransfer = groupBy(entries, ({ transferId }) => transferId);
  const violations: Violation[] = [];
  const known = new Set(transfers.map(({ id }) => id));
  for (const entry of entries) {
    if (entry.transferId === null || !known.has(entry.transferId)) {
      violations.push({ promise: CONSERVED, what: `entry ${entry.id} has no transfer` });
    }
  }
  for (const transfer of transfers) {
    const outside = clearing.get(transfer.organizationId);
    const debit = transfer.direction === "MONEY_IN" ? outside : transfer.sourceId;
    const credit = transfer.direction === "MONEY_OUT" ? outside : transfer.destinationId;
    const booked = byTransfer.get(transfer.id) ?? [];
    const wanted = wantedEntries(transfer);
    const there = booked.filter(({ kind, debitId, creditId, amountInCents }) => {
      const [from, to] = kind === "TRANSFER" ? [debit, credit] : [credit, debit];
      return debitId === from && creditId === to && amountInCents === transfer.amountInCents;
    });
    const kinds = there.map(({ kind }) => kind).sort();
    if (booked.length !== there.length || kinds.join() !== wanted.join()) {
      const has = booked.map(({ kind, amountInCents }) => `${kind} ${amountInCents}`).join(", ") || "nothing";
      violations.push({
        promise: ONCE,
        what: `transfer ${transfer.id} of ${transfer.amountInCents} is ${transfer.status} and has booked: ${has}`,
      });
    }
  }
  return violations;
}

function wantedEntries({ mode, status }: TransferRow): string[] {
  if (mode !== "LIVE") return [];
  if (status === "COMPLETE") return ["TRANSFER"];
  return status === "RETURNED" ? ["RETURN", "TRANSFER"] : [];
}

/** The outcome of an order at the bank is that of its transfer; without an order no money moved outside. */
function checkBank({ transfers, bank }: Database): Violation[] {
  const orders = new Map(bank.map((order) => [order.transferId, order]));
  const violations: Violation[] = [];
  for (const transfer of transfers) {
    const order = orders.get(transfer.id);
    const isOverBank =
      transfer.direction !== "INTERNAL" && transfer.byKind !== "BANK" && transfer.mode === "LIVE";
    if (!isOverBank) {
      if (order) violations.push({ promise: ONCE, what: `the bank has an order for ${transfer.id}` });
      continue;
    }
    const wanted = wantedStatus(order);
    const isAsTheBankSays = order
      ? transfer.status === wanted && order.amountInCents === transfer.amountInCents
      : transfer.status !== "COMPLETE" && transfer.status !== "RETURNED";
    if (!isAsTheBankSays) {
      violations.push({
        promise: ONCE,
        what: `transfer ${transfer.id} is ${transfer.status}, the bank says ${wanted}`,
      });
    }
  }
  const known = new Set(transfers.map(({ id }) => id));
  for (const { transferId } of bank) {
    if (!known.has(transferId))
      violations.push({ promise: ONCE, what: `the bank has ${transferId}, we do not` });
  }
  return violations;
}

function wantedStatus(order: BankOrderRow | undefined): string | null {
  if (!order) return null;
  if (order.isRefused) return "FAILED";
  if (order.isSettled) return order.isReturned ? "RETURNED" : "COMPLETE";
  return order.isReturned ? "FAILED" : "PROCESSING";
}

/** Each deposit that the bank reported is one transfer, and there are no others. */
function checkDeposits(
  { transfers, deposits }: Database,
  opened: readonly OpenedOrganization[],
): Violation[] {
  const violations: Violation[] = [];
  for (const { organizationId, openingTransferIds } of opened) {
    const reported = deposits
      .filter((one) => one.organizationId === organizationId && one.isReported)
      .map(({ amountInCents }) => amountInCents);
    const arrived = transfers
      .filter((one) => one.organizationId === organizationId && one.byKind === "BANK")
      .filter(({ id }) => !openingTransferIds.includes(id))
      .map(({ amountInCents }) => amountInCents);
    const byAmount = (left: number, right: number) => left - right;
    if (arrived.toSorted(byAmount).join() !== reported.toSorted(byAmount).join()) {
      violations.push({
        promise: ONCE,
        what: `organization ${organizationId} was notified of ${reported.length} deposits of ${sum(reported)} cents and has ${arrived.length} of ${sum(arrived)}`,
      });
    }
  }
  return violations;
}

function sum(cents: readonly number[]): number {
  return cents.reduce((total, one) => total + one, 0);
}
