import { MAXIMUM_WAIT_SECONDS } from "@/lib/contract/limits";
import { integerText } from "@/lib/contract/page";

/** `wait` of a read that may answer at the next change instead of at once. */
export const waitQueryShape = {
  wait: integerText(1, MAXIMUM_WAIT_SECONDS)
    .optional()
    .describe(
      "Seconds: answers at the next change, after so many at the latest, and at once if the status is final.",
    ),
};
