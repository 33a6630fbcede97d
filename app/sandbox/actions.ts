"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";
import { formFields, memberAction } from "@/app/auth/member-action";
import { sandboxCardMoneySchema } from "@/lib/contract/card";
import { AppError, type ErrorDetail } from "@/lib/contract/error";
import { parseCents } from "@/lib/contract/format-cents";
import { dateText, instantText } from "@/lib/contract/input/instants";
import { nameText } from "@/lib/contract/plain-text";
import { connectionChangeSchema, receiverModeSchema } from "@/lib/contract/sandbox";
import { flowDirectionSchema, spendingCategorySchema } from "@/lib/contract/transactions";
import { achReturnCodeSchema } from "@/lib/contract/transfer";
import { makeCardCredit, makePurchase } from "@/lib/core/sandbox/make-purchase";
import { atNoonOf, moveClock as move } from "@/lib/core/sandbox/move-clock";
import { sendBack as back, bookByBank as book, makeDeposit, silenceBank } from "@/lib/core/sandbox/play-bank";
import {
  changeConnection as change,
  decidePending as decide,
  moveOutside as moveAtInstitution,
} from "@/lib/core/sandbox/play-outside";
import { setReceiver as answerFromNow } from "@/lib/core/sandbox/receiver";
import { simulateDeposit, simulateReturn, simulateSettlement } from "@/lib/core/sandbox/simulate-bank";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { getRuntime, type Runtime } from "@/lib/next/runtime";

const amount = z
  .string()
  .transform(parseCents)
  .pipe(z.int({ error: "Enter an amount like $7,100.00." }).min(1).max(100_000_000_000));

const clockSchema = z.union([
  z.object({ toAt: instantText.transform((text) => new Date(text)) }),
  z.object({ toDate: dateText }).transform(({ toDate }) => ({ toAt: atNoonOf(toDate) })),
]);

export const moveClock = sandboxAction(clockSchema, ({ services, sandbox }, context, { toAt }) =>
  move(services, sandbox, context, toAt),
);

const depositSchema = z.object({
  accountId: z.uuid(),
  amount,
  origin: z.enum(["DIRECT_DEPOSIT", "CHECK_DEPOSIT"]),
  payerName: nameText(60, "Enter the payer."),
});

export const deposit = sandboxAction(
  depositSchema,
  ({ services, sandbox, simulations }, context, { amount, ...input }) => {
    const made = { ...input, amountInCents: amount };
    return simulations && !sandbox
      ? simulateDeposit(services, simulations, context, made)
      : makeDeposit(services, sandbox, context, made);
  },
);

const sendBackSchema = z.object({ transferId: z.uuid(), code: achReturnCodeSchema });

export const sendBack = sandboxAction(sendBackSchema, ({ services, sandbox, simulations }, context, input) =>
  simulations && !sandbox
    ? simulateReturn(services, simulations, context, input)
    : back(services, sandbox, context, input),
);

const settleSchema = z.object({ transferId: z.uuid() });

export const settle = sandboxAction(settleSchema, ({ services, simulations }, context, input) =>
  simulateSettlement(services, simulations, context, input),
);

const bookByBankSchema = z.object({ as: z.enum(["FEE", "INTEREST"]), amount });

export const bookByBank = sandboxAction(bookByBankSchema, ({ services, sandbox }, context, input) =>
  book(services, sandbox, context, { as: input.as, amountInCents: input.amount }),
);

const silenceSchema = z.object({ minutes: z.coerce.number().int().min(1).max(1_440) });

export const silence = sandboxAction(silenceSchema, ({ services, sandbox }, context, { minutes }) =>
  silenceBank(services, sandbox, context, minutes),
);

const { cardId, merchant } = sandboxCardMoneySchema.shape;
const cardMoney = z.object({ cardId, amount, merchant });
const purchaseSchema = cardMoney.extend({ category: spendingCategorySchema });

export const purchase = sandboxAction(purchaseSchema, async ({ services, sandbox }, context, input) => {
  const { cardId, merchant, category } = input;
  const bought = { cardId, merchant, category, amountInCents: input.amount };
  // The page shows the card's answer beside the form.
  await makePurchase(services, sandbox, context, bought);
});

const payToCardSchema = cardMoney.extend({ subtype: z.enum(["REFUND", "PAYOUT"]) });

export const payToCard = sandboxAction(payToCardSchema, ({ services, sandbox }, context, input) => {
  const { cardId, merchant } = input;
  const credit = { cardId, merchant, category: null, amountInCents: input.amount };
  return makeCardCredit(services, sandbox, context, input.subtype, credit);
});

const moveOutsideSchema = z.object({
  accountId: z.uuid(),
  amount,
  direction: flowDirectionSchema,
  partyName: nameText(60, "Enter the other party."),
  as: z.enum(["POSTED", "PENDING"]),
});

export const moveOutside = sandboxAction(moveOutsideSchema, ({ services, sandbox }, context, input) => {
  const { amount: amountInCents, as, ...movement } = input;
  return moveAtInstitution(services, sandbox, context, {
    ...movement,
    amountInCents,
    isPending: as === "PENDING",
  });
});

const changeConnectionSchema = z.object({ connectionId: z.uuid(), change: connectionChangeSchema });

export const changeConnection = sandboxAction(
  changeConnectionSchema,
  ({ services, sandbox }, context, input) => change(services, sandbox, context, input),
);

const decidePendingSchema = z.discriminatedUnion("decision", [
  z.object({ decision: z.literal("SETTLE"), pendingId: z.string().max(300), amount }),
  z.object({ decision: z.literal("VANISH"), pendingId: z.string().max(300) }),
]);

export const decidePending = sandboxAction(decidePendingSchema, ({ services, sandbox }, context, input) =>
  decide(services, sandbox, context, {
    pendingId: input.pendingId,
    settledInCents: input.decision === "SETTLE" ? input.amount : null,
  }),
);

const receiverSchema = z.object({ mode: receiverModeSchema });

export const setReceiver = sandboxAction(receiverSchema, ({ services, sandbox }, context, { mode }) =>
  answerFromNow(services, sandbox, context, mode),
);

/** The forms have no place beside their fields. */
function otherwise({ field, message }: ErrorDetail): string {
  return /^[a-z]/.test(message) ? `${field} ${message}.` : message;
}

function sandboxAction<Schema extends z.ZodType>(
  schema: Schema,
  run: (runtime: Runtime, context: Context<MemberActor>, input: z.output<Schema>) => Promise<void>,
) {
  return memberAction(
    { may: "DECIDERS", input: formFields(schema), otherwise },
    async ({ context }, input) => {
      try {
        await run(getRuntime(), context, input);
      } catch (error) {
        // Also after a refusal: a clock that stopped halfway has moved.
        if (error instanceof AppError) revalidatePath("/sandbox");
        throw error;
      }
      revalidatePath("/sandbox");
    },
  );
}
