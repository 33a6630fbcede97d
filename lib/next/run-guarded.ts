import { AppError } from "@/lib/contract/error";
import { beginAction, currentPageRequest } from "@/lib/next/page-request";
import { getRuntime } from "@/lib/next/runtime";
import { newRequestId } from "@/lib/platform/ids";

export interface UnexpectedResult {
  kind: "ERROR";
  message: string;
  requestId: string;
}

/**
 * Runs what a member asked for. A fault of ours is logged whole; the member gets a request id to quote, and no false
 * promise about what happened.
 */
export async function runGuarded<T>(run: () => Promise<T>): Promise<T | UnexpectedResult> {
  beginAction();
  try {
    return await run();
  } catch (error) {
    const requestId = currentPageRequest()?.requestId ?? newRequestId();
    // What only a hostile call brings about: nothing of ours broke, and nobody can fill the log with it.
    if (error instanceof AppError && error.code === "INVALID_PARAMETERS")
      return { kind: "ERROR", message: error.message, requestId };
    getRuntime().services.log.error({ err: error, requestId }, "a member's action ended unexpectedly");
    return {
      kind: "ERROR",
      message:
        "Something broke on our side. We do not know yet whether it took effect; load this page again to see.",
      requestId,
    };
  }
}
