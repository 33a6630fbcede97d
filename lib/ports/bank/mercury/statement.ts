import { z } from "zod";
import type { Adoption } from "@/lib/ports/bank/adoption";
import { type BankStatementLine, type BankStatementPage, BankUnavailable } from "@/lib/ports/bank/bank-port";
import {
  type Mercury,
  type MercuryTransaction,
  read,
  transactionSchema,
} from "@/lib/ports/bank/mercury/call-mercury";
import { type Cause, causeOf, isAfterAdoption, readKnown } from "@/lib/ports/bank/mercury/cause";
import { RAIL_OF_KIND } from "@/lib/ports/bank/mercury/rails";
import { Strikes, Unreadable } from "@/lib/ports/bank/unread";

/** Each is read by itself: one that is not as documented leaves a rest, and hides no other. */
const listSchema = z.object({ transactions: z.array(z.unknown()).max(1_000) });
const identifiedSchema = z.object({ id: z.string().min(1).max(100) });
/** After the opening line. */
const FIRST_TRANSACTION = "first";

/**
 * A page of what Mercury has posted, in the order of creation, which is Mercury's own; a page may hold fewer lines than
 * transactions. The statement of an adopted account begins with one line for what it held when it was adopted.
 */
export async function readStatement(
  mercury: Mercury,
  adoption: Adoption,
  input: { from: Date; cursor: string | null; limit: number },
): Promise<BankStatementPage> {
  const opening = input.cursor === null ? openingLine(mercury, adoption, input.from) : [];
  const limit = input.limit - opening.length;
  if (limit === 0) return { lines: opening, nextCursor: FIRST_TRANSACTION };
  const { setting } = mercury;
  const { cursor } = input;
  const query = new URLSearchParams({
    accountId: setting.accountId,
    order: "asc",
    limit: String(limit),
    postedStart: input.from.toISOString(),
    ...(cursor === null || cursor === FIRST_TRANSACTION ? {} : { start_after: cursor }),
  });
  const answer = await mercury.call({ method: "GET", path: `/transactions?${query}` });
  const { transactions } = read(listSchema, answer);
  const posted = transactions.flatMap((transaction) => {
    const parsed = transactionSchema.safeParse(transaction).data;
    return parsed && isOnStatement(adoption, parsed) && parsed.postedAt >= input.from ? [parsed] : [];
  });
  posted.sort((a, b) => a.postedAt.getTime() - b.postedAt.getTime());
  const known = await readKnown(mercury, adoption, posted);
  const lines = [...opening];
  const strikes = new Strikes(() => mercury.call({ method: "GET", path: `/account/${setting.accountId}` }));
  for (const transaction of posted) {
    const cause = await strikes.ask(() => explain(mercury, adoption, transaction, known));
    if (cause) lines.push(toLine(transaction, cause));
  }
  if (transactions.length < limit) return { lines, nextCursor: null };
  const last = transactions.map((one) => identifiedSchema.safeParse(one).data?.id).findLast(Boolean);
  if (!last) throw new BankUnavailable("Mercury lists transactions without ids");
  return { lines, nextCursor: last };
}

/** A return whose original cannot be read has no known cause: a member resolves it. */
async function explain(...asked: Parameters<typeof causeOf>): Promise<Cause> {
  try {
    return await causeOf(...asked);
  } catch (error) {
    if (error instanceof Unreadable) return { kind: "OTHER" };
    throw error;
  }
}

type Posted = MercuryTransaction & { postedAt: Date };

/** Null: adopted before Sluice knew what it held, so its statement has all lines. */
function isOnStatement(adoption: Adoption, transaction: MercuryTransaction): transaction is Posted {
  const { openingInCents, depositsAfter } = adoption;
  if (!transaction.postedAt || transaction.amount === 0) return false;
  return openingInCents === null || depositsAfter === null || isAfterAdoption(adoption, transaction);
}

/** The reference of what the account held when it was adopted, as a deposit and as a line. */
export const openingReference = (accountId: string) => `${accountId}:opening`;

function openingLine({ setting }: Mercury, adoption: Adoption, from: Date): BankStatementLine[] {
  const { openingInCents, openedAt } = adoption;
  if (!openingInCents || !openedAt || openedAt < from) return [];
  const reference = openingReference(setting.accountId);
  const isDeposit = openingInCents > 0;
  return [
    {
      lineReference: reference,
      bookedAt: openedAt,
      amountInCents: openingInCents,
      kind: isDeposit ? "DEPOSIT" : "OTHER",
      transferId: null,
      depositReference: isDeposit ? reference : null,
      rail: "BOOK",
      description: "Balance when the account was adopted",
    },
  ];
}

function toLine(transaction: Posted, cause: Cause): BankStatementLine {
  const { id, kind } = transaction;
  const isOfOrder = cause.kind === "ORDER" || cause.kind === "ORDER_RETURN";
  const depositReference =
    cause.kind === "DEPOSIT" ? id : cause.kind === "DEPOSIT_RETURN" ? cause.depositId : null;
  return {
    lineReference: id,
    bookedAt: transaction.postedAt,
    amountInCents: transaction.amount,
    kind: cause.kind,
    transferId: isOfOrder ? cause.order.transferId : null,
    depositReference,
    // Orders go out by ACH; of other payments out, Mercury does not say how they travel.
    rail: isOfOrder ? "ACH" : (RAIL_OF_KIND.get(kind) ?? null),
    description: transaction.bankDescription ?? transaction.counterpartyName ?? kind,
  };
}
