/** What a proposal is about, as lists and short sentences tell it. */
export type ProposalSubjectView =
  | { kind: "TRANSFER"; sourceName: string; destinationName: string; amountInCents: number }
  | {
      kind: "RULE_RUN";
      ruleName: string;
      sourceName: string;
      /** Where it moves something to; none where it moves nothing, or that is not worked out. */
      destinations: { count: number; firstName: string | null; arePods: boolean };
      /** Of all its transfers. Null: not worked out, because it was never approved, or cannot be. */
      amountInCents: number | null;
    };
