import { z } from "zod";
import type { ProposalSubjectView } from "@/lib/contract/approvals/approval";

const transferStatuses = [
  "APPROVAL_PENDING",
  "APPROVAL_DENIED",
  "PROCESSING",
  "COMPLETE",
  "FAILED",
  "CANCELLED",
  "RETURNED",
] as const;

const foundTransferSchema = z.object({
  kind: z.literal("TRANSFER"),
  id: z.string(),
  href: z.string(),
  sourceName: z.string(),
  destinationName: z.string(),
  amountInCents: z.number(),
  status: z.enum(transferStatuses),
  isDryRun: z.boolean(),
  /** Business time. */
  createdAt: z.string(),
  /** Decision deadline; null if it does not wait. */
  expiresAt: z.string().nullable(),
});

const foundThingSchema = z.object({
  kind: z.enum(["RUN", "ACCOUNT", "RULE", "API_KEY", "ASSISTANT", "CARD", "MEMBER", "CONNECTION"]),
  id: z.string(),
  href: z.string(),
  name: z.string(),
  /** The last digits of an account or card number, if any. */
  last4: z.string().nullable(),
  /** Closed, revoked, ended. */
  isOver: z.boolean(),
});

const proposalSubjectSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("TRANSFER"),
    sourceName: z.string(),
    destinationName: z.string(),
    amountInCents: z.number(),
  }),
  z.object({
    kind: z.literal("BATCH"),
    sourceName: z.string(),
    destinationName: z.string().nullable(),
    destinationCount: z.number(),
    lineCount: z.number(),
    amountInCents: z.number(),
  }),
  z.object({
    kind: z.literal("RULE_RUN"),
    ruleName: z.string(),
    sourceName: z.string(),
    destinations: z.object({ count: z.number(), firstName: z.string().nullable(), arePods: z.boolean() }),
    amountInCents: z.number().nullable(),
  }),
]) satisfies z.ZodType<ProposalSubjectView>;

const foundProposalSchema = z.object({
  id: z.string(),
  href: z.string(),
  subject: proposalSubjectSchema,
  expiresAt: z.string(),
});

/** What the palette found. A schema, because it reaches the browser as JSON. Each group holds at most eight. */
export const searchViewSchema = z.object({
  /** Proposals that wait, if the text asks for them: the soonest to expire first. */
  waiting: z.array(foundProposalSchema),
  /** Waiting ones first, then the newest. */
  ofThisAmount: z.array(foundTransferSchema),
  transfersOfThisId: z.array(foundTransferSchema),
  /** By kind, in the order of the palette; best first within each. */
  things: z.array(foundThingSchema),
  time: z.object({
    nowAt: z.string(),
    timeZone: z.string(),
    locale: z.string(),
    viewerTimeZone: z.string().optional(),
  }),
});

export type FoundProposalView = z.infer<typeof foundProposalSchema>;

export type FoundTransferView = z.infer<typeof foundTransferSchema>;

export type FoundThingView = z.infer<typeof foundThingSchema>;

export type SearchView = z.infer<typeof searchViewSchema>;
