"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";
import { askingMember } from "@/app/auth/member";
import { formOf } from "@/app/auth/read-input";
import type { ActState } from "@/components/sandbox/act-form";
import { achReturnCodeSchema } from "@/lib/contract/ach-return";
import { AppError } from "@/lib/contract/error";
import { flowDirectionSchema } from "@/lib/contract/external-transaction";
import { parseCents } from "@/lib/contract/parse-cents";
import { plainText } from "@/lib/contract/plain-text";
import { receiverModeSchema } from "@/lib/contract/sandbox-receiver";
import { spendingCategorySchema } from "@/lib/contract/spending-category";
import { connectionChangeSchema } from "@/lib/contract/views/sandbox-view";
import { makeCardCredit, makePurchase } from "@/lib/core/sandbox/make-purchase";
import { atNoonOf, moveClock as move } from "@/lib/core/sandbox/move-clock";
import { sendBack as back, makeDeposit, silenceBank } from "@/lib/core/sandbox/play-bank";
import {
  changeConnection as change,
  decidePending as decide,
  moveOutside as moveAtInstitution,
} from "@/lib/core/sandbox/play-outside";

import { setReceiver as answerFromNow } from "@/lib/core/sandbox/receiver";

import type { Context, MemberActor } from "@/lib/core/shared/context";
import { memberContext } from "@/lib/core/sign-in/member-context";
import { runGuarded } from "@/lib/next/run-guarded";
import { getRuntime, type Runtime } from "@/lib/next/runtime";

const amount = z
  .string()
  .transform(parseCents)
  .pipe(z.int({ error: "Write the amount like $7,100.00." }).min(1).max(100_000_000_000));

const clockSchema = z.union([
  z.object({ toAt: z.iso.datetime().transform((text) => new Date(text)) }),
  z.object({ toDate: z.iso.date() }).transform(({ toDate }) => ({ toAt: atNoonOf(toDate) })),
]);

export async function moveClock(previous: ActState, form: FormData): Promise<ActState> {
  return act(previous, form, clockSchema, ({ services, sandbox }, context, { toAt }) =>
    move(services, sandbox, context, toAt),
  );
}

const depositSchema = z.object({
  accountId: z.uuid(),
  amount,
  origin: z.enum(["DIRECT_DEPOSIT", "CHECK_DEPOSIT"]),
  payerName: plainText(60).min(1, "Say who pays."),
});

export async function deposit(previous: ActState, form: FormData): Promise<ActState> {
  return act(previous, form, depositSchema, ({ services, sandbox }, context, input) =>
    makeDeposit(services, sandbox, context, { ...input, amountInCents: input.amount }),
  );
}

const sendBackSchema = z.object({ transferId: z.uuid(), code: achReturnCodeSchema });

export async function sendBack(previous: ActState, form: FormData): Promise<ActState> {
  return act(previous, form, sendBackSchema, ({ services, sandbox }, context, input) =>
    back(services, sandbox, context, input),
  );
}

const silenceSchema = z.object({ minutes: z.coerce.number().int().min(1).max(1_440) });

export async function silence(previous: ActState, form: FormData): Promise<ActState> {
  return act(previous, form, silenceSchema, ({ services, sandbox }, context, { minutes }) =>
    silenceBank(services, sandbox, context, minutes),
  );
}

const cardMoney = z.object({ cardId: z.uuid(), amount, merchant: z.string().max(200) });
const purchaseSchema = cardMoney.extend({ category: spendingCategorySchema });

export async function purchase(previous: ActState, form: FormData): Promise<ActState> {
  return act(previous, form, purchaseSchema, async ({ services, sandbox }, context, input) => {
    const { cardId, merchant, category } = input;
    const bought = { cardId, merchant, category, amountInCents: input.amount };
    // What the card answered is told beside the form, with everything else that was done.
    await makePurchase(services, sandbox, context, bought);
  });
}

const payToCardSchema = cardMoney.extend({ subtype: z.enum(["REFUND", "PAYOUT"]) });

export async function payToCard(previous: ActState, form: FormData): Promise<ActState> {
  return act(previous, form, payToCardSchema, ({ services, sandbox }, context, input) => {
    const { cardId, merchant } = input;
    const credit = { cardId, merchant, category: null, amountInCents: input.amount };
    return makeCardCredit(services, sandbox, context, input.subtype, credit);
  });
}

const moveOutsideSchema = z.object({
  accountId: z.uuid(),
  amount,
  direction: flowDirectionSchema,
  partyName: plainText(60).min(1, "Say who is on the other side."),
  as: z.enum(["POSTED", "PENDING"]),
});

export async function moveOutside(previous: ActState, form: FormData): Promise<ActState> {
  return act(previous, form, moveOutsideSchema, ({ services, sandbox }, context, input) => {
    const { amount: amountInCents, as, ...movement } = input;
    return moveAtInstitution(services, sandbox, context, {
      ...movement,
      amountInCents,
      isPending: as === "PENDING",
    });
  });
}

const changeConnectionSchema = z.object({ connectionId: z.uuid(), change: connectionChangeSchema });

export async function changeConnection(previous: ActState, form: FormData): Promise<ActState> {
  return act(previous, form, changeConnectionSchema, ({ services, sandbox }, context, input) =>
    change(services, sandbox, context, input),
  );
}

const decidePendingSchema = z.discriminatedUnion("decision", [
  z.object({ decision: z.literal("SETTLE"), pendingId: z.string().max(300), amount }),
  z.object({ decision: z.literal("VANISH"), pendingId: z.string().max(300) }),
]);

export async function decidePending(previous: ActState, form: FormData): Promise<ActState> {
  return act(previous, form, decidePendingSchema, ({ services, sandbox }, context, input) =>
    decide(services, sandbox, context, {
      pendingId: input.pendingId,
      settledInCents: input.decision === "SETTLE" ? input.amount : null,
    }),
  );
}

const receiverSchema = z.object({ mode: receiverModeSchema });

export async function setReceiver(previous: ActState, form: FormData): Promise<ActState> {
  return act(previous, form, receiverSchema, ({ services, sandbox }, context, { mode }) =>
    answerFromNow(services, sandbox, context, mode),
  );
}

const stateSchema = z
  .object({ refusal: z.string().nullable(), done: z.int() })
  .catch({ refusal: null, done: 0 }) satisfies z.ZodType<ActState>;

/** Parses, does, and answers in a sentence where it could not be done. */
async function act<Schema extends z.ZodType>(
  given: ActState,
  form: FormData,
  schema: Schema,
  run: (runtime: Runtime, context: Context<MemberActor>, input: z.output<Schema>) => Promise<void>,
): Promise<ActState> {
  // The browser sends it back: what somebody made of it themselves counts from nothing.
  const previous = stateSchema.parse(given);
  const asking = await askingMember();
  if (asking.kind === "REFUSED") return { ...previous, refusal: asking.message };
  const runtime = getRuntime();
  const input = schema.safeParse(Object.fromEntries(formOf(form)));
  if (!input.success) {
    return { ...previous, refusal: input.error.issues[0]?.message ?? "That cannot be read." };
  }
  const result = await runGuarded(async () => {
    try {
      await run(runtime, memberContext(runtime.services, asking.member), input.data);
      return { kind: "DONE" as const };
    } catch (error) {
      if (error instanceof AppError) return { kind: "REFUSED" as const, message: error.message };
      throw error;
    }
  });
  if (result.kind === "ERROR") {
    return { ...previous, refusal: `${result.message} Request ${result.requestId}.` };
  }
  // Also after a refusal: a clock that stopped on its way has moved.
  revalidatePath("/sandbox");
  if (result.kind === "REFUSED") return { ...previous, refusal: result.message };
  return { refusal: null, done: previous.done + 1 };
}
