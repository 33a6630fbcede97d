import { z } from "zod";
import { MAXIMUM_REASON_FOR_APPROVAL_LENGTH } from "@/lib/contract/limits";
import {
  mandateConstraintSchema,
  mandateLeftSchema,
  mandateStateSchema,
  mandateTermsSchema,
} from "@/lib/contract/mandates/mandate";
import { plainText } from "@/lib/contract/plain-text";

/** `EXPIRED`: nobody signed it in time. */
export const mandateStateForProgramsSchema = z.enum([...mandateStateSchema.options, "EXPIRED"]).meta({
  id: "MandateState",
  description:
    "`WAITING`: for signatures. `IN_FORCE`: what falls inside it is accepted at once. `ENDED`: by a person, by its key, or with its key. `DENIED`: declined, or withdrawn by its key before it was signed. `EXPIRED`: nobody signed it in time.",
});
export type MandateStateForPrograms = z.infer<typeof mandateStateForProgramsSchema>;

const TERMS = {
  id: "MandateTerms",
  description:
    "What it covers, with no account twice. `minimumInCents` is not more than `maximumInCents`; `until` is not before `from`, both within 731 days. Days, weeks from Monday and months are those of the organization's time zone.",
};

const { sourceAccountIds, destinationAccountIds, purpose } = mandateTermsSchema.shape;
const accountIds = z.array(z.uuid());

/** Without the rules for what is sent. */
const signedTermsSchema = z
  .strictObject({
    ...mandateTermsSchema.shape,
    sourceAccountIds: accountIds.describe(sourceAccountIds.description ?? ""),
    destinationAccountIds: accountIds.describe(destinationAccountIds.description ?? ""),
    purpose: z
      .string()
      .nullable()
      .describe(purpose.description ?? ""),
  })
  .meta(TERMS);

/** What its key reads of a mandate. */
export const mandateForProgramsSchema = z
  .strictObject({
    id: z.uuid(),
    state: mandateStateForProgramsSchema,
    terms: signedTermsSchema,
    left: mandateLeftSchema
      .meta({ id: "MandateLeft", description: "What is left of each limit, now; null where there is none." })
      .describe("What is left of each limit, now."),
    used: z
      .strictObject({
        uses: z.int().min(0).describe("Transfers on their way, complete or returned."),
        inCents: z.int().min(0),
      })
      .meta({ id: "MandateUse" })
      .describe("Since it is in force. Failed and canceled transfers do not count."),
    stoppedBy: mandateConstraintSchema
      .nullable()
      .describe("Why no transfer can use it now, whatever its amount; null: one can."),
    proposedBy: z
      .strictObject({ kind: z.enum(["API_KEY", "MEMBER"]), name: z.string() })
      .meta({ id: "MandateAuthor" })
      .describe("Who wrote it; a person may have narrowed it since."),
    reason: z.string().nullable().describe("What the key said for it; null if a member wrote it."),
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime().nullable().describe("While `WAITING`: until when people can sign it."),
    signedAt: z.iso.datetime().nullable().describe("In force since."),
    endedAt: z.iso.datetime().nullable(),
    approvalUrl: z.url().nullable().describe("Where people sign it, while it is `WAITING`."),
  })
  .meta({
    id: "Mandate",
    description: "What people let one key do without asking: what falls inside is accepted at once.",
  });
export type MandateForPrograms = z.infer<typeof mandateForProgramsSchema>;

/** Body of `POST /mandates`. */
export const proposeMandateBodySchema = z.strictObject({
  terms: mandateTermsSchema
    .meta(TERMS)
    .describe("What it should cover, at most what the key's own permission allows."),
  reason: plainText(MAXIMUM_REASON_FOR_APPROVAL_LENGTH).describe(
    "Shown word for word to the people who sign it, and returned.",
  ),
});
