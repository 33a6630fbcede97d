import type { SignReviewInput } from "@/lib/contract/fraud-monitoring";
import type { Refused } from "@/lib/contract/refused";

export type SignReviewResult = { kind: "DONE"; reviewId: string } | Refused;

export type SignReview = (input: SignReviewInput) => Promise<SignReviewResult>;
