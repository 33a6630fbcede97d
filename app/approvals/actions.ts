"use server";

import { z } from "zod";
import { askingMember } from "@/app/auth/member";
import { readInput } from "@/app/auth/read-input";
import { decideInputSchema, decisionSubjectSchema } from "@/lib/contract/decision";
import { AppError } from "@/lib/contract/error";
import type {
  BeginConfirmationResult,
  CancelResult,
  DecideInput,
  DecideResult,
  DecisionSubject,
} from "@/lib/contract/views/decision";
import { decideProposal } from "@/lib/core/approvals/decide-proposal";
import { mayDecide } from "@/lib/core/shared/permits";
import { beginConfirmation as beginConfirmationOf } from "@/lib/core/sign-in/confirmation";
import { memberContext } from "@/lib/core/sign-in/member-context";
import { type Cancellation, cancelTransfer } from "@/lib/core/transfers/cancel-transfer";
import { runGuarded } from "@/lib/next/run-guarded";
import { getRuntime } from "@/lib/next/runtime";

const VIEWER = {
  kind: "FORBIDDEN",
  message: "Only an owner or co-owner may decide. Nothing was decided.",
} as const;

/** How this member must confirm; for a passkey, with its challenge. Decides nothing. */
export async function beginConfirmation(subject: DecisionSubject): Promise<BeginConfirmationResult> {
  return runGuarded(async () => {
    const asking = await askingMember();
    if (asking.kind === "REFUSED") return { kind: "FORBIDDEN", message: asking.message };
    const { member } = asking;
    if (!mayDecide(member.actor)) return VIEWER;
    const request = await beginConfirmationOf(
      getRuntime().services,
      member.actor,
      readInput(decisionSubjectSchema, subject),
    );
    return { kind: "BEGUN", request };
  });
}

export async function decide(input: DecideInput): Promise<DecideResult> {
  return runGuarded(async () => {
    const asking = await askingMember();
    if (asking.kind === "REFUSED") return { kind: "FORBIDDEN", message: asking.message };
    const { member } = asking;
    return decideProposal(
      getRuntime().services,
      memberContext(getRuntime().services, member),
      readInput(decideInputSchema, input),
    );
  });
}

const TOO_LATE: Record<Exclude<Cancellation, "CANCELLED">, string> = {
  AT_THE_BANK:
    "The bank already has it, so it can no longer be canceled. Once it has settled, it can be moved back.",
  UNANSWERED:
    "It was handed to the bank, which has not answered yet. The bank may have it, so it can no longer be canceled.",
  OVER: "It is already over, so there is nothing left to cancel.",
};

export async function cancel(input: { transferId: string }): Promise<CancelResult> {
  return runGuarded(async () => {
    const asking = await askingMember();
    if (asking.kind === "REFUSED") return { kind: "FORBIDDEN", message: asking.message };
    const { member } = asking;
    try {
      const transferId = readInput(z.object({ transferId: z.uuid() }), input).transferId;
      const outcome = await cancelTransfer(
        getRuntime().services,
        memberContext(getRuntime().services, member),
        transferId,
      );
      if (outcome === "CANCELLED") return { kind: "CANCELLED" };
      return { kind: "TOO_LATE", message: TOO_LATE[outcome] };
    } catch (error) {
      if (error instanceof AppError) return { kind: "FORBIDDEN", message: error.message };
      throw error;
    }
  });
}
