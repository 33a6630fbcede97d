"use server";

import { redirect } from "next/navigation";
import { z } from "zod";
import { formOf, readInput } from "@/app/auth/read-input";
import { runAsMember } from "@/app/auth/run-as-member";
import type { PreviewMoveResult } from "@/app/transfers/_components/move-actions";
import {
  type BeginMoveResult,
  type MoveDraft,
  type MoveInput,
  type MoveResult,
  type MoveSubject,
  moveDraftSchema,
  moveInputSchema,
  moveSubjectSchema,
} from "@/lib/contract/move";
import type { Refused } from "@/lib/contract/refused";
import { beginMove, moveMoney } from "@/lib/core/approvals/move-money";
import { proposeMoveBack } from "@/lib/core/approvals/propose-move-back";
import { proposalHref } from "@/lib/core/approvals/read-waiting";
import { previewMove } from "@/lib/views/transfers/read-move-page";

/** Previews a draft. Changes nothing. */
export async function preview(draft: MoveDraft): Promise<PreviewMoveResult> {
  return runAsMember(async (services, context, time) => ({
    kind: "PREVIEWED",
    preview: await previewMove(services, context, readInput(moveDraftSchema, draft), time),
  }));
}

/** How the member must confirm this move as shown. */
export async function begin(subject: MoveSubject): Promise<BeginMoveResult> {
  return runAsMember((services, context) =>
    beginMove(services, context, readInput(moveSubjectSchema, subject)),
  );
}

/** Moves the money; returns the link to the transfer. */
export async function move(input: MoveInput): Promise<MoveResult> {
  return runAsMember((services, context) => moveMoney(services, context, readInput(moveInputSchema, input)));
}

const inputSchema = z.object({ transferId: z.uuid(), reason: z.string().max(5_000) });

/** Proposes the way back, and opens the proposal. */
export async function moveBack(transferId: string, form: FormData): Promise<Refused> {
  return runAsMember(async (services, context) => {
    const input = readInput(inputSchema, { transferId, reason: formOf(form).get("reason") ?? "" });
    redirect(proposalHref(await proposeMoveBack(services, context, input)));
  });
}
