import { z } from "zod";
import type { IdentityState, SubjectState } from "@/lib/ports/identity/identity-port";

/** What is kept of an identity check: nothing but what a member must recognize, and what was said. */

const stateSchema = z.discriminatedUnion("state", [
  z.object({ state: z.literal("CHECKING") }),
  z.object({ state: z.literal("APPROVED") }),
  z.object({
    state: z.literal("NEEDS_DOCUMENT"),
    document: z.enum(["PHOTO_ID", "FORMATION"]),
    reason: z.string(),
  }),
  z.object({ state: z.literal("REFUSED"), reason: z.string() }),
]);

export const subjectsSchema = z.array(
  z.object({
    kind: z.enum(["BUSINESS", "PERSON"]),
    name: z.string(),
    ownsPercent: z.number().nullable(),
    taxIdLast4: z.string(),
    said: stateSchema,
  }),
);
export type KeptSubject = z.infer<typeof subjectsSchema>[number];

export type IdentityStatus = "NEEDED" | "SUBMITTING" | "CHECKING" | "NEEDS_DOCUMENT" | "APPROVED" | "REFUSED";

/** As asked for in `select` of `identity_checks`. */
export interface IdentityRow {
  organization_id: string;
  application_id: string;
  status: IdentityStatus;
  subjects: unknown;
}

const MAXIMUM_REASON_LENGTH = 400;

/** The kept subjects with what the service says of them now; it may say too little, and never of more than there are. */
export function withSaid(subjects: readonly KeptSubject[], state: IdentityState): KeptSubject[] {
  return subjects.map((subject, index) => {
    const said = state.subjects[index];
    return said ? { ...subject, said: shortened(said) } : subject;
  });
}

function shortened(said: SubjectState): SubjectState {
  return "reason" in said ? { ...said, reason: said.reason.slice(0, MAXIMUM_REASON_LENGTH) } : said;
}
