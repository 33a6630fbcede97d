"use server";

import { z } from "zod";
import { formFields, memberAction } from "@/app/auth/member-action";
import { openAfterwards } from "@/app/auth/open-afterwards";
import { moveDraftSchema, moveInputSchema, moveSubjectSchema } from "@/lib/contract/move";
import { removeDraftDocument } from "@/lib/core/approvals/documents/add-document";
import { beginMove, moveMoney } from "@/lib/core/approvals/move-money";
import { proposeMoveBack } from "@/lib/core/approvals/propose-move-back";
import { proposalHref } from "@/lib/core/approvals/read-waiting";
import { previewMove } from "@/lib/views/transfers/read-move-page";

/** Previews a draft. Changes nothing. */
export const preview = memberAction(
  { may: "DECIDERS", input: moveDraftSchema },
  async ({ services, context, time }, draft) => ({
    kind: "PREVIEWED",
    preview: await previewMove({ services, context, time }, draft),
  }),
);

/** How the member must confirm this move as shown. */
export const begin = memberAction(
  { may: "DECIDERS", input: moveSubjectSchema },
  ({ services, context }, subject) => beginMove(services, context, subject),
);

/** Moves the money; returns the link to the transfer. */
export const move = memberAction(
  { may: "DECIDERS", input: moveInputSchema },
  ({ services, context }, input) => moveMoney(services, context, input),
);

/** Takes a document off a draft. */
export const removeDocument = memberAction(
  { may: "DECIDERS", input: z.strictObject({ draftId: z.uuid(), documentId: z.uuid() }) },
  ({ services, context }, input) => removeDraftDocument(services, context, input),
);

const moveBackForm = formFields(
  z.object({ transferId: z.uuid(), reason: z.string().max(5_000).default("") }),
);

/** Proposes the way back, and opens the proposal. */
export const moveBack = memberAction(
  { may: "DECIDERS", input: moveBackForm },
  async ({ services, context }, input) => {
    openAfterwards(proposalHref(await proposeMoveBack(services, context, input)));
  },
);
