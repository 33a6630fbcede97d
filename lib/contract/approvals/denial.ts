import { z } from "zod";

/** What a person can say to the program whose proposal they deny. */
export const denialReasonKindSchema = z
  .enum(["TOO_MUCH", "WRONG_ACCOUNT", "NOT_NOW", "NEEDS_DOCUMENT", "DO_NOT_ASK_AGAIN"])
  .meta({
    id: "DenialReasonKind",
    description:
      "`TOO_MUCH`: a smaller amount may do. `WRONG_ACCOUNT`: another source or destination. `NOT_NOW`: the same request is refused until `askAgainAfter`. `NEEDS_DOCUMENT`: an invoice or another document is missing. `DO_NOT_ASK_AGAIN`: the same request is refused for good.",
  });
export type DenialReasonKind = z.infer<typeof denialReasonKindSchema>;

/** Why a person denied, for the program: shown to it as said by a person, never as Sluice's own words. */
export const denialReasonSchema = z
  .strictObject({
    kind: denialReasonKindSchema,
    text: z.string().nullable().describe("In the person's own words."),
  })
  .meta({ id: "DenialReason", description: "Why a person denied it." });
export type DenialReason = z.infer<typeof denialReasonSchema>;

/** What became of the proposal of a transfer or run. */
export const proposalDecisionSchema = z
  .strictObject({
    outcome: z
      .enum(["APPROVED", "DENIED", "EXPIRED", "WITHDRAWN", "REVOKED"])
      .describe(
        "`WITHDRAWN`: by the program that requested it. `REVOKED`: its key, its assistant or its version of the rule ended first.",
      ),
    decidedAt: z.iso.datetime(),
    reason: denialReasonSchema.nullable().describe("Only if a person denied it and said why."),
    askAgainAfter: z.iso
      .datetime()
      .nullable()
      .describe("Until then the same request is refused (`NOT_NOW`)."),
    byTestPerson: z
      .boolean()
      .optional()
      .describe("Whether a program decided it, as the test person of a sandbox, and no person did."),
  })
  .meta({ id: "ProposalDecision", description: "What became of its proposal." });
export type ProposalDecision = z.infer<typeof proposalDecisionSchema>;

/** The reason as a menu entry and in messages. */
export const DENIAL_REASON_WORDS: Record<DenialReasonKind, string> = {
  TOO_MUCH: "Too much",
  WRONG_ACCOUNT: "Wrong account",
  NOT_NOW: "Not now",
  NEEDS_DOCUMENT: "Needs a document",
  DO_NOT_ASK_AGAIN: "Do not ask again",
};
