import { z } from "zod";

/** An amount that a caller or member states: whole cents between these, each refusal in one sentence. */
export function centsBetween(minimum: number, maximum: number) {
  const tooFew = `must be at least ${minimum} ${minimum === 1 ? "cent" : "cents"}`;
  const tooMany = `must be at most ${maximum} cents`;
  return (
    z
      // Above 2^53 a number is not a safe integer, but what is wrong with it is its size.
      .int({
        error: ({ code }) =>
          code === "too_big" ? tooMany : code === "too_small" ? tooFew : "must be a whole number of cents",
        abort: true,
      })
      .min(minimum, tooFew)
      .max(maximum, tooMany)
  );
}
