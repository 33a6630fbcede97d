"use server";

import { readInput } from "@/app/auth/read-input";
import { runAsMember } from "@/app/auth/run-as-member";
import {
  type MoveDraft,
  type MoveInput,
  type MoveSubject,
  moveDraftSchema,
  moveInputSchema,
  moveSubjectSchema,
} from "@/lib/contract/move";
import type { BeginMoveResult, MoveResult, PreviewMoveResult } from "@/lib/contract/views/move-view";
import { beginMove, moveMoney } from "@/lib/core/approvals/move-money";
import { previewMove } from "@/lib/views/transfers/read-move-page";

/** What a draft would do, as of now. Changes nothing. */
export async function preview(draft: MoveDraft): Promise<PreviewMoveResult> {
  return runAsMember(async (services, context, time) => ({
    kind: "PREVIEWED",
    preview: await previewMove(services, context, readInput(moveDraftSchema, draft), time),
  }));
}

/** How the member must confirm that they move this, as it was shown. */
export async function begin(subject: MoveSubject): Promise<BeginMoveResult> {
  return runAsMember((services, context) =>
    beginMove(services, context, readInput(moveSubjectSchema, subject)),
  );
}

/** Moves it, and answers where it is to be seen. */
export async function move(input: MoveInput): Promise<MoveResult> {
  return runAsMember((services, context) => moveMoney(services, context, readInput(moveInputSchema, input)));
}
