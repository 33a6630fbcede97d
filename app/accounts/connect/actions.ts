"use server";

import { z } from "zod";
import { memberAction } from "@/app/auth/member-action";
import { forgetLink, keepLink, readKeptLink } from "@/app/connections/link-cookie";
import { beginLink as begin, resumeLink as resume } from "@/lib/core/connections/begin-connecting";
import { connectAccounts } from "@/lib/core/connections/connect-accounts";
import { getRuntime } from "@/lib/next/runtime";

/** Connects the chosen accounts of an institution. */
export const connectInstitution = memberAction(
  {
    may: "DECIDERS",
    // Institutions offer fewer.
    input: z.object({
      institutionId: z.string().min(1).max(200),
      templates: z.array(z.string().min(1).max(200)).min(1).max(50),
    }),
    otherwise: "Choose at least one account. Nothing was connected.",
  },
  async ({ services, context }, choice) => {
    const proof = { kind: "CHOICE" as const, ...choice };
    const { connectionId } = await connectAccounts(services, getRuntime().aggregator, context, proof);
    return { kind: "CONNECTED", connectionId };
  },
);

/** Opens the provider's dialog. The token goes to this browser only, and into no address. */
export const beginLink = memberAction({ may: "DECIDERS" }, async ({ services, context }) => {
  const { linkToken } = await begin(services, getRuntime().aggregator, context);
  const { organizationId, actor } = context;
  await keepLink({ linkToken, organizationId, memberId: actor.id, connectionId: null });
  return { kind: "LINK", linkToken };
});

/** Opens the dialog again after the bank sent the member back by address. */
export const resumeLink = memberAction({ may: "DECIDERS" }, async ({ context }) => ({
  kind: "LINK",
  ...resume(context, await readKeptLink()),
}));

/** Connects what the member chose in the provider's dialog. Its token works for one connection. */
export const completeLink = memberAction(
  {
    may: "DECIDERS",
    input: z.object({ publicToken: z.string().min(1).max(500) }),
    otherwise: "The bank's dialog sent no confirmation. Nothing was connected.",
  },
  async ({ services, context }, { publicToken }) => {
    const proof = { kind: "LINK" as const, publicToken };
    const { connectionId } = await connectAccounts(services, getRuntime().aggregator, context, proof);
    await forgetLink();
    return { kind: "CONNECTED", connectionId };
  },
);
