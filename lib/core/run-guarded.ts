import { getRuntime } from "@/lib/core/runtime";
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
  try {
    return await run();
  } catch (error) {
    const requestId = newRequestId();
    getRuntime().services.log.error({ err: error, requestId }, "a member's action ended unexpectedly");
    return {
      kind: "ERROR",
      message:
        "Something broke on our side. We do not know yet whether it took effect; load this page again to see.",
      requestId,
    };
  }
}
