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
import { mayDecide } from "@/lib/core/keys/permits";
import { beginConfirmation as beginConfirmationOf } from "@/lib/core/members/begin-confirmation";
import { memberContext } from "@/lib/core/members/member-context";
import { runGuarded } from "@/lib/core/run-guarded";
import { getRuntime } from "@/lib/core/runtime";
import { cancelTransfer } from "@/lib/core/transfers/cancel-transfer";

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

export async function cancel(input: { transferId: string }): Promise<CancelResult> {
  return runGuarded(async () => {
    const asking = await askingMember();
    if (asking.kind === "REFUSED") return { kind: "FORBIDDEN", message: asking.message };
    const { member } = asking;
    try {
      const transferId = readInput(z.object({ transferId: z.uuid() }), input).transferId;
      const isCancelled = await cancelTransfer(
        getRuntime().services,
        memberContext(getRuntime().services, member),
        transferId,
      );
      if (isCancelled) return { kind: "CANCELLED" };
      return {
        kind: "TOO_LATE",
        message: "It had left already, so it cannot be cancelled. It can be moved back.",
      };
    } catch (error) {
      if (error instanceof AppError) return { kind: "FORBIDDEN", message: error.message };
      throw error;
    }
  });
}
