"use server";

import { memberAction } from "@/app/auth/member-action";
import { markInputSchema } from "@/lib/contract/approvals/review";
import { markProposal } from "@/lib/core/approvals/review-marks";

/** What the member means to do with a proposal. Decides nothing. */
export const keepMark = memberAction(
  { may: "DECIDERS", input: markInputSchema },
  ({ services, context }, input) => markProposal(services, context, input),
);
