import { MAXIMUM_WAIT_SECONDS } from "@/lib/contract/limits";
import { integerText } from "@/lib/contract/page";

/** `wait` of a read that may answer at the next change instead of at once. */
export const waitQueryShape = {
  wait: integerText(1, MAXIMUM_WAIT_SECONDS)
    .optional()
    .describe(
      "Answers at the next change instead of at once: after so many seconds without one, or if the status is final, with the present state. Counts as one request.",
    ),
};
