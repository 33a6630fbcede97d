import { z } from "zod";

/** What the checks of an approval look for, as programs read it (docs/behavior/approvals.md). */
const checkCodeSchema = z
  .enum([
    "ABOVE_DAILY_CAP",
    "ABOVE_KEY_LIMIT",
    "ABOVE_OUTGOING_CAP",
    "ASSISTANT_MAY_NOT_ASK",
    "BELOW_FLOOR",
    "CHANGED_PAYEE",
    "INSUFFICIENT_FUNDS",
    "LARGER_THAN_USUAL",
    "LOOK_ALIKE_NAMES",
    "LOWERED",
    "NEWER_VERSION",
    "NEW_PAYEE",
    "NEW_ROUTE",
    "OUTSIDE_MANDATE",
    "PAYEE_COOLS_OFF",
    "POSSIBLE_DUPLICATE",
    "RAN_LATELY",
    "REPEATED_DOCUMENT",
    "REPEATED_EXTERNAL_ID",
    "RULE_NOT_ALLOWED",
    "RULE_NOT_RUNNING",
    "RUN_WOULD_FAIL",
    "SIMILAR_LATELY",
    "SMALLER_THAN_USUAL",
  ])
  .meta({ id: "CheckCode", description: "What a check looks for. More may be added." });
export type CheckCode = z.infer<typeof checkCodeSchema>;

/** One check of a proposal, as its approver sees it. */
export const proposalCheckSchema = z
  .strictObject({
    code: checkCodeSchema,
    level: z
      .enum(["CLEAR", "REVIEW", "BLOCKS"])
      .describe(
        "`CLEAR`: nothing found. `REVIEW`: a person should look. `BLOCKS`: it cannot be approved as it is.",
      ),
    text: z.string(),
  })
  .meta({ id: "Check", description: "What the approver reads about a proposal." });
export type ProposalCheck = z.infer<typeof proposalCheckSchema>;
