"use server";

import { memberAction } from "@/app/auth/member-action";
import { labeled } from "@/app/auth/run-as-member";
import { signReviewSchema } from "@/lib/contract/fraud-monitoring";
import { signReview as sign } from "@/lib/core/fraud-monitoring/sign-review";

export const signReview = memberAction(
  { may: "OWNER", input: signReviewSchema, toProblem: labeled({ note: "The note" }) },
  async ({ services, context }, input) => ({
    kind: "DONE",
    reviewId: await sign(services, context, input),
  }),
);
