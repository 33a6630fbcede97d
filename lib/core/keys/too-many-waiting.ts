import { AppError } from "@/lib/contract/error";
import { MAXIMUM_WAITING_PROPOSALS } from "@/lib/contract/limits";
import type { CallerActor } from "@/lib/core/shared/context";

/** What a caller is told of whose proposals as many wait as a person can be asked (`maximum_waiting`). */
export function tooManyWaiting(actor: CallerActor): AppError {
  const whose = actor.kind === "API_KEY" ? "this key" : "this assistant";
  return new AppError(
    "RATE_LIMIT_EXCEEDED",
    `${MAXIMUM_WAITING_PROPOSALS} proposals of ${whose} wait for a person already. Wait until some are decided. Nothing was asked and nothing moved.`,
  );
}
