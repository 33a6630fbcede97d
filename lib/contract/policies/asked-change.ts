import { z } from "zod";
import { dailyCapSchema, graceSchema } from "@/lib/contract/api-key";
import { confirmationSchema } from "@/lib/contract/confirmation/decision";
import type { NothingSigned } from "@/lib/contract/confirmation/signing";
import { permissionsSchema } from "@/lib/contract/permissions";

const cents = z.int().min(0).nullable();
const coolOff = z.object({ aboveInCents: z.int().min(0), hours: z.int().min(0) });

/** A limit that would let more through, as it was and as it should be. Null: none. */
const wantedLimitSchema = z.discriminatedUnion("what", [
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

const keyFacts = {
  /** Of the new key, whose secret was shown to who asked. */
  keyId: z.guid(),
  name: z.string(),
  /** The first characters of its text. */
  prefix: z.string(),
  permissions: permissionsSchema,
  dailyCapInCents: dailyCapSchema,
};

/** A key that would be made. It is none before the last signature: its secret opens nothing. */
const wantedKeySchema = z.discriminatedUnion("what", [
  z.object({ what: z.literal("NEW_KEY"), ...keyFacts }),
  /** In place of another one, which then works for a while. */
  z.object({ what: z.literal("REPLACED_KEY"), oldKeyId: z.guid(), grace: graceSchema, ...keyFacts }),
]);
export type WantedKey = z.output<typeof wantedKeySchema>;

/** Of signatures that began: until when the others may come. What they bind to is in `hash`. */
export const wantedConfirmationSchema = z.discriminatedUnion("what", [
  z.object({ what: z.literal("PAYEE"), payeeId: z.guid(), hash: z.string() }),
  z.object({ what: z.literal("RULE"), ruleId: z.guid(), version: z.int().min(1), hash: z.string() }),
]);
export type WantedConfirmation = z.output<typeof wantedConfirmationSchema>;

export const wantedChangeSchema = z.union([wantedLimitSchema, wantedKeySchema]);
export type WantedChange = z.output<typeof wantedChangeSchema>;
export type WantedChangeKind = WantedChange["what"];

/** `WAITING` for signatures; every other state is final. `OUTDATED`: what it changes was itself changed. */
export type AskedChangeState =
  | "WAITING"
  | "DONE"
  | "DENIED"
  | "WITHDRAWN"
  | "REPLACED"
  | "OUTDATED"
  | "EXPIRED";

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
  | NothingSigned;

/** A new key, or the secret of one that waits for the signatures of others: until then it opens nothing. */
export type MadeKey =
  | { kind: "CREATED"; id: string; text: string }
  | { kind: "ASKED"; href: string; text: string };

/** Of a command that lets more through: done, or it waits for the signatures of others. */
export type CarriedOut = { kind: "DONE" } | { kind: "ASKED"; href: string };
