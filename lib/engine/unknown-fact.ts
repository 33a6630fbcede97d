import type { UnknownFact } from "@/lib/contract/rules/plan";

/** Thrown inside an evaluation where it needs a value that nobody knows; `evaluate` answers it, callers never see it. */
export class NeedsUnknown extends Error {
  constructor(readonly missing: UnknownFact) {
    super(`The evaluation needs ${missing.fact}, which is not known`);
  }
}
