"use server";

import { z } from "zod";
import type { ConnectInput, ConnectResult } from "@/app/accounts/connect/_components/connect-actions";
import { readFields, runAsMember } from "@/app/auth/run-as-member";
import { forgetLink, keepLink, readKeptLink } from "@/app/connections/link-cookie";
import type { Refused } from "@/lib/contract/refused";
import { beginLink as begin, resumeLink as resume } from "@/lib/core/connections/begin-connecting";
import { connectAccounts } from "@/lib/core/connections/connect-accounts";
import { getRuntime } from "@/lib/next/runtime";

/** Institutions offer fewer. */
const choiceSchema = z.object({
  institutionId: z.string().min(1).max(200),
  templates: z.array(z.string().min(1).max(200)).min(1).max(50),
});

/** Connects the chosen accounts of an institution. The core command checks the role. */
export async function connectInstitution(input: ConnectInput): Promise<ConnectResult> {
  return runAsMember(async (services, context) => {
    const choice = readFields(choiceSchema, input, "Choose at least one account. Nothing was connected.");
    const proof = { kind: "CHOICE" as const, ...choice };
    const { connectionId } = await connectAccounts(services, getRuntime().aggregator, context, proof);
    return { kind: "CONNECTED", connectionId };
  });
}

const publicTokenSchema = z.object({ publicToken: z.string().min(1).max(500) });

/** Opens the provider's dialog. The token goes to this browser only, and into no address. */
export async function beginLink(): Promise<{ kind: "LINK"; linkToken: string } | Refused> {
  return runAsMember(async (services, context) => {
    const { linkToken } = await begin(services, getRuntime().aggregator, context);
    const { organizationId, actor } = context;
    await keepLink({ linkToken, organizationId, memberId: actor.id, connectionId: null });
    return { kind: "LINK", linkToken };
  });
}

/** Opens the dialog again after the bank sent the member back by address. */
export async function resumeLink(): Promise<
  { kind: "LINK"; linkToken: string; connectionId: string | null } | Refused
> {
  return runAsMember(async (_services, context) => ({
    kind: "LINK",
    ...resume(context, await readKeptLink()),
  }));
}

/** Connects what the member chose in the provider's dialog. Its token works for one connection. */
export async function completeLink(input: { publicToken: string }): Promise<ConnectResult> {
  return runAsMember(async (services, context) => {
    const { publicToken } = readFields(
      publicTokenSchema,
      input,
      "The bank's dialog sent no confirmation. Nothing was connected.",
    );
    const proof = { kind: "LINK" as const, publicToken };
    const { connectionId } = await connectAccounts(services, getRuntime().aggregator, context, proof);
    await forgetLink();
    return { kind: "CONNECTED", connectionId };
  });
}
