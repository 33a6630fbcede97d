import { z } from "zod";
import { confirmationSchema } from "@/lib/contract/confirmation/decision";
import type { Refused } from "@/lib/contract/refused";

const cents = z.int().min(0).nullable();
const coolOff = z.object({ aboveInCents: z.int().min(0), hours: z.int().min(0) });

/** A limit that would let more through, as it was and as it should be. Null: none. */
export const wantedLimitSchema = z.discriminatedUnion("what", [
  z.object({ what: z.literal("ACCOUNT_FLOOR"), accountId: z.guid(), before: cents, after: cents }),
  /** The floor that new pods get. */
  z.object({ what: z.literal("NEW_POD_FLOOR"), before: cents, after: cents }),
  /** What may leave Sluice within 24 hours. */
  z.object({ what: z.literal("OUTGOING_CAP"), before: cents, after: cents }),
  /** What a key may move within 24 hours without approval. */
  z.object({ what: z.literal("KEY_CAP"), keyId: z.guid(), before: cents, after: cents }),
  z.object({ what: z.literal("PAYEE_COOL_OFF"), before: coolOff, after: coolOff }),
  /** A webhook that runs a rule without approval. */
  z.object({ what: z.literal("HOOK_APPROVAL"), ruleId: z.guid() }),
]);
export type WantedLimit = z.output<typeof wantedLimitSchema>;
export type LimitKind = WantedLimit["what"];

/** `WAITING` for signatures; every other state is final. `OUTDATED`: what it changes was changed meanwhile. */
export const askedChangeStateSchema = z.enum([
  "WAITING",
  "DONE",
  "DENIED",
  "WITHDRAWN",
  "REPLACED",
  "OUTDATED",
  "EXPIRED",
]);
export type AskedChangeState = z.output<typeof askedChangeStateSchema>;

export const askedChangeIdSchema = z.strictObject({ id: z.uuid() });

/** A change as it was shown. */
export const askedChangeSubjectSchema = z.strictObject({
  id: z.uuid(),
  /** Binds what it changes, from what and to what. */
  hash: z.string().max(100),
});
export type AskedChangeSubject = z.output<typeof askedChangeSubjectSchema>;

export const askedChangeSignInputSchema = askedChangeSubjectSchema.extend({
  confirmation: confirmationSchema,
});
export type AskedChangeSignInput = z.output<typeof askedChangeSignInputSchema>;

/** Outcome. The first two have changed something, `CHANGED` only that it ended. */
export type AskedChangeSignResult =
  /** Others have to sign, too. */
  | { kind: "SIGNED" }
  /** It was the last signature. */
  | { kind: "CARRIED_OUT" }
  /** What the member saw has changed; each change is one sentence. */
  | { kind: "CHANGED"; changes: string[] }
  | { kind: "NOT_CONFIRMED"; message: string }
  | Refused;

/** Of a command that lets more through: done, or it waits for the signatures of others. */
export type CarriedOut = { kind: "DONE" } | { kind: "ASKED"; href: string };
