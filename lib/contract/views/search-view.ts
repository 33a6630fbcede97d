import { z } from "zod";

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

/** What the palette found. A schema, because it reaches the browser as JSON. Each group holds at most eight. */
export const searchViewSchema = z.object({
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

export type FoundTransferView = z.infer<typeof foundTransferSchema>;
export type FoundThingView = z.infer<typeof foundThingSchema>;
export type SearchView = z.infer<typeof searchViewSchema>;
