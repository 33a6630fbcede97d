"use server";

import { memberAction } from "@/app/auth/member-action";
import {
  policyDraftSchema,
  policySignInputSchema,
  policySignSubjectSchema,
  policyVersionInputSchema,
} from "@/lib/contract/policies/publication";
import { discardPolicyDraft as discard, savePolicyDraft } from "@/lib/core/policies/save-policy-draft";
import {
  beginPolicySignature as begin,
  signPolicy,
  withdrawPolicySignature,
} from "@/lib/core/policies/sign-policy";
import { checkPolicyDraft } from "@/lib/views/policies/read-policy-page";

/** Saves the draft, and says what it would ask. */
export const keepPolicyDraft = memberAction(
  {
    may: "DECIDERS",
    input: policyDraftSchema,
    otherwise: "This draft cannot be saved as it is; this tab keeps it.",
  },
  async ({ services, context, time }, draft) => {
    const saved = await savePolicyDraft(services, context, draft);
    const { policy } = draft;
    const checked = await checkPolicyDraft({ services, context, time }, { version: saved.version, policy });
    return { kind: "KEPT", ...saved, keptAt: context.now.toISOString(), checked };
  },
);

export const discardPolicyDraft = memberAction(
  { may: "DECIDERS", input: policyVersionInputSchema },
  async ({ services, context }, { version }) => {
    await discard(services, context, version);
    return { kind: "DISCARDED" };
  },
);

/** How this member must confirm a signature, with a passkey's challenge. Changes nothing. */
export const beginPolicySignature = memberAction(
  { may: "DECIDERS", input: policySignSubjectSchema },
  async ({ services, context }, subject) => ({
    kind: "BEGUN",
    request: await begin(services, context.actor, subject),
  }),
);

export const signPolicyVersion = memberAction(
  { may: "DECIDERS", input: policySignInputSchema },
  ({ services, context }, input) => signPolicy(services, context, input),
);

/** Their own signature: of someone who no longer decides, it counts nowhere. */
export const withdrawSignature = memberAction(
  { may: "DECIDERS", input: policyVersionInputSchema },
  async ({ services, context }, { version }) => {
    await withdrawPolicySignature(services, context, version);
    return { kind: "WITHDRAWN" };
  },
);
