"use server";

import { memberAction } from "@/app/auth/member-action";
import {
  askedChangeIdSchema,
  askedChangeSignInputSchema,
  askedChangeSubjectSchema,
} from "@/lib/contract/policies/asked-change";
import {
  beginAskedChangeSignature as begin,
  endAskedChange as end,
  signAskedChange as sign,
} from "@/lib/core/asked-changes/sign-asked-change";

/** How this member must confirm a signature, with a passkey's challenge. Changes nothing. */
export const beginChangeSignature = memberAction(
  { may: "DECIDERS", input: askedChangeSubjectSchema },
  async ({ services, context }, subject) => ({
    kind: "BEGUN",
    request: await begin(services, context.actor, subject),
  }),
);

/** The last signature carries the change out. */
export const signChange = memberAction(
  { may: "DECIDERS", input: askedChangeSignInputSchema },
  ({ services, context }, input) => sign(services, context, input),
);

/** Denies it; who asked withdraws it. One tap, without a confirmation: it only keeps what is. */
export const endChange = memberAction(
  { may: "DECIDERS", input: askedChangeIdSchema },
  async ({ services, context }, { id }) => {
    await end(services, context, id);
    return { kind: "ENDED" };
  },
);
