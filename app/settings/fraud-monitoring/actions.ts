"use server";

import { labeled, readFields, runAsMember } from "@/app/auth/run-as-member";
import type { SignReviewResult } from "@/app/settings/fraud-monitoring/_components/sign-review";
import { type SignReviewInput, signReviewSchema } from "@/lib/contract/fraud-monitoring";
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
