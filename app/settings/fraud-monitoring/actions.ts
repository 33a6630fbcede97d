"use server";

import { labeled, readFields, runAsMember } from "@/app/auth/run-as-member";
import { type SignReviewInput, signReviewSchema } from "@/lib/contract/fraud-monitoring";
import type { SignReviewResult } from "@/lib/contract/views/fraud-monitoring-view";
import { signReview as sign } from "@/lib/core/fraud-monitoring/sign-review";

const toProblem = labeled({ note: "The note" });

export async function signReview(input: SignReviewInput): Promise<SignReviewResult> {
  return runAsMember(
    async (services, context) => {
      const reviewId = await sign(services, context, readFields(signReviewSchema, input));
      return { kind: "DONE", reviewId };
    },
    { toProblem },
  );
}
