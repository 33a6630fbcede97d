import type { CheckOutcome } from "@/lib/contract/approvals/approval";

/** An account that a batch takes from or moves to, as read. */
export interface BatchAccount {
  id: string;
  name: string;
  /** Null: unknown. */
  availableInCents: number | null;
  floorInCents: number | null;
  /** Not held in Sluice: money that arrives there is not available to a later line. */
  isOutside: boolean;
}

export interface BatchMove {
  line: number;
  sourceAccountId: string;
  destinationAccountId: string;
  amountInCents: number;
}

/** What may leave Sluice within 24 hours; null where that is not capped. */
export interface BatchRoom {
  capInCents: number;
  leftInCents: number;
}

/** What these lines together do to one account that they take from. */
export interface SourceOutcome {
  accountId: string;
  accountName: string;
  outcome: CheckOutcome;
  takesInCents: number;
  /** After all of them; null: unknown. */
  afterInCents: number | null;
  floorInCents: number | null;
  /** The first line for which there is not enough; null: there is enough for all. */
  shortAtLine: number | null;
}

export interface BatchMoney {
  sources: SourceOutcome[];
  /** Null: it is not capped, or nothing leaves. */
  outgoing: (BatchRoom & { outcome: CheckOutcome; leavesInCents: number }) | null;
}

/**
 * What lines do to the accounts that they take from, one after the other as they are accepted: money that one moves into an
 * account of Sluice is there for the next. The page computes it for the lines that are not struck out, and the decision again
 * under its locks.
 */
export function moneyOf(
  accounts: readonly BatchAccount[],
  room: BatchRoom | null,
  moves: readonly BatchMove[],
): BatchMoney {
  const byId = new Map(accounts.map((account) => [account.id, account]));
  const available = new Map(accounts.map(({ id, availableInCents }) => [id, availableInCents]));
  const shortAt = new Map<string, number>();
  const taken = new Map<string, number>();
  let leavesInCents = 0;
  for (const { line, sourceAccountId: from, destinationAccountId: to, amountInCents } of moves) {
    const before = available.get(from) ?? null;
    taken.set(from, (taken.get(from) ?? 0) + amountInCents);
    if ((before === null || before < amountInCents) && !shortAt.has(from)) shortAt.set(from, line);
    if (before !== null) available.set(from, before - amountInCents);
    const isFromOutside = byId.get(from)?.isOutside ?? true;
    const isToOutside = byId.get(to)?.isOutside ?? true;
    if (!isFromOutside && isToOutside) leavesInCents += amountInCents;
    const there = available.get(to) ?? null;
    // Only a move between accounts of Sluice is booked at once.
    if (!isFromOutside && !isToOutside && there !== null) available.set(to, there + amountInCents);
  }
  return {
    sources: [...taken].map(([accountId, takesInCents]) => {
      const { name: accountName = "", floorInCents = null } = byId.get(accountId) ?? {};
      const afterInCents = available.get(accountId) ?? null;
      const shortAtLine = shortAt.get(accountId) ?? null;
      const isBelow = floorInCents !== null && afterInCents !== null && afterInCents < floorInCents;
      const outcome = shortAtLine === null ? (isBelow ? "LOOK" : "CLEAR") : "BLOCKS";
      return { accountId, accountName, outcome, takesInCents, afterInCents, floorInCents, shortAtLine };
    }),
    outgoing:
      room === null || leavesInCents === 0
        ? null
        : { ...room, leavesInCents, outcome: leavesInCents <= room.leftInCents ? "CLEAR" : "BLOCKS" },
  };
}

/** What of it a member confirms: as for one transfer, outcomes and not balances. */
export function moneyDigest({ sources, outgoing }: BatchMoney): string {
  const seen = sources.map(({ accountId, outcome }) => `${accountId} ${outcome}`).sort();
  return [...seen, ...(outgoing ? [`OUT ${outgoing.outcome}`] : [])].join(",");
}
