"use server";

import { z } from "zod";
import { readInput } from "@/app/auth/read-input";
import { refusal, runAsMember } from "@/app/auth/run-as-member";
import type { BeginConfirmationResult, CancelResult } from "@/components/parts/approvals/decision-actions";
import {
  type DecideInput,
  type DecideResult,
  type DecisionSubject,
  decideInputSchema,
  decisionSubjectSchema,
} from "@/lib/contract/confirmation/decision";
import { decideProposal } from "@/lib/core/approvals/decide-proposal";
import { mayDecide } from "@/lib/core/shared/permits";
import { beginConfirmation as beginConfirmationOf } from "@/lib/core/sign-in/confirmation";
import { type Cancellation, cancelTransfer } from "@/lib/core/transfers/cancel-transfer";

/** How this member must confirm, with a passkey's challenge. Decides nothing. */
export async function beginConfirmation(subject: DecisionSubject): Promise<BeginConfirmationResult> {
  return runAsMember(async (services, { actor }): Promise<BeginConfirmationResult> => {
    if (!mayDecide(actor)) return refusal("Only an owner or co-owner can decide. Nothing was decided.");
    const request = await beginConfirmationOf(services, actor, readInput(decisionSubjectSchema, subject));
    return { kind: "BEGUN", request };
  });
}

export async function decide(input: DecideInput): Promise<DecideResult> {
  return runAsMember((services, context) =>
    decideProposal(services, context, readInput(decideInputSchema, input)),
  );
}

const TOO_LATE: Record<Exclude<Cancellation, "CANCELLED">, string> = {
  AT_THE_BANK:
    "Already sent to the bank; it can no longer be canceled. Once it settles, you can move it back.",
  UNANSWERED: "It was sent to the bank, which has not answered yet, so it can no longer be canceled.",
  OVER: "It has already ended, so there is nothing to cancel.",
};

export async function cancel(input: { transferId: string }): Promise<CancelResult> {
  return runAsMember(async (services, context): Promise<CancelResult> => {
    const { transferId } = readInput(z.object({ transferId: z.uuid() }), input);
    const outcome = await cancelTransfer(services, context, transferId);
    return outcome === "CANCELLED" ? { kind: "CANCELLED" } : { kind: "TOO_LATE", message: TOO_LATE[outcome] };
  });
}
