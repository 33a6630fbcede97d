"use server";

import { z } from "zod";
import { memberAction } from "@/app/auth/member-action";
import { batchSubjectSchema, decideBatchInputSchema } from "@/lib/contract/approvals/batch";
import { decideTogetherInputSchema, decisionsSchema } from "@/lib/contract/confirmation/decide-together";
import { decideInputSchema, decisionSubjectSchema } from "@/lib/contract/confirmation/decision";
import { beginBatch, decideBatch as decideWhole } from "@/lib/core/approvals/batches/decide-batch";
import { decideProposal } from "@/lib/core/approvals/decide-proposal";
import { beginTogether, decideTogether } from "@/lib/core/approvals/decide-together";
import { withdrawSignature } from "@/lib/core/approvals/sign-proposal";
import { beginConfirmation as begin } from "@/lib/core/sign-in/confirmation";
import { type Cancellation, cancelTransfer } from "@/lib/core/transfers/cancel-transfer";

/** How this member must confirm, with a passkey's challenge. Decides nothing. */
export const beginConfirmation = memberAction(
  { may: "DECIDERS", input: decisionSubjectSchema },
  async ({ services, context }, subject) => ({
    kind: "BEGUN",
    request: await begin(services, context.actor, subject),
  }),
);

export const decide = memberAction(
  { may: "DECIDERS", input: decideInputSchema },
  ({ services, context }, input) => decideProposal(services, context, input),
);

/** No confirmation: it only takes away what the member gave. */
export const withdrawMySignature = memberAction(
  { may: "DECIDERS", input: z.object({ proposalId: z.uuid() }) },
  ({ services, context }, { proposalId }) => withdrawSignature(services, context, proposalId),
);

/** How this member must confirm several decisions, once for all of them. Decides nothing. */
export const beginDecidingTogether = memberAction(
  { may: "DECIDERS", input: decisionsSchema },
  async ({ services, context }, subject) => ({
    kind: "BEGUN",
    request: await beginTogether(services, context.actor, subject),
  }),
);

export const decideAll = memberAction(
  { may: "DECIDERS", input: decideTogetherInputSchema },
  ({ services, context }, input) => decideTogether(services, context, input),
);

/** How this member must confirm what they sign of a batch. Decides nothing. */
export const beginBatchDecision = memberAction(
  { may: "DECIDERS", input: batchSubjectSchema },
  async ({ services, context }, subject) => ({
    kind: "BEGUN",
    request: await beginBatch(services, context.actor, subject),
  }),
);

export const decideBatch = memberAction(
  { may: "DECIDERS", input: decideBatchInputSchema },
  ({ services, context }, input) => decideWhole(services, context, input),
);

const TOO_LATE: Record<Exclude<Cancellation, "CANCELLED">, string> = {
  AT_THE_BANK:
    "Already sent to the bank; it can no longer be canceled. Once it settles, you can move it back.",
  UNANSWERED: "It was sent to the bank, which has not answered yet, so it can no longer be canceled.",
  OVER: "It has already ended, so there is nothing to cancel.",
};

export const cancel = memberAction(
  { may: "DECIDERS", input: z.object({ transferId: z.uuid() }) },
  async ({ services, context }, { transferId }) => {
    const outcome = await cancelTransfer(services, context, transferId);
    return outcome === "CANCELLED" ? { kind: "CANCELLED" } : { kind: "TOO_LATE", message: TOO_LATE[outcome] };
  },
);
