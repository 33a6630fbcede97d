"use server";

import { z } from "zod";
import { forgetLink, keepLink, readKeptLink } from "@/app/accounts/connect/link-cookie";
import { runAsMember } from "@/app/auth/run-as-member";
import type { ConnectInput, ConnectResult } from "@/lib/contract/views/connect-view";
import type { ConnectionRefused } from "@/lib/contract/views/connection-page-view";
import { beginLink as begin, resumeLink as resume } from "@/lib/core/connections/begin-connecting";
import { connectAccounts } from "@/lib/core/connections/connect-accounts";

import { getRuntime } from "@/lib/next/runtime";

/** An institution offers fewer; what is longer was not chosen on the page. */
const choiceSchema = z.object({
  institutionId: z.string().min(1).max(200),
  templates: z.array(z.string().min(1).max(200)).min(1).max(50),
});

/** Connects the chosen accounts of an institution. The core verb refuses whoever may not. */
export async function connectInstitution(input: ConnectInput): Promise<ConnectResult> {
  return runAsMember(async (services, context) => {
    const parsed = choiceSchema.safeParse(input);
    if (!parsed.success)
      return { kind: "REFUSED", message: "Choose at least one account. Nothing was connected." };
    const proof = { kind: "CHOICE" as const, ...parsed.data };
    const { connectionId } = await connectAccounts(services, getRuntime().aggregator, context, proof);
    return { kind: "CONNECTED", connectionId };
  });
}

const publicTokenSchema = z.object({ publicToken: z.string().min(1).max(500) });

/** What opens the provider's dialog. It goes to this browser alone, and into no address. */
export async function beginLink(): Promise<{ kind: "LINK"; linkToken: string } | ConnectionRefused> {
  return runAsMember(async (services, context) => {
    const { linkToken } = await begin(services, getRuntime().aggregator, context);
    const { organizationId, actor } = context;
    await keepLink({ linkToken, organizationId, memberId: actor.id, connectionId: null });
    return { kind: "LINK", linkToken };
  });
}

/** What opens the dialog again, for whom their bank has sent back by address. */
export async function resumeLink(): Promise<
  { kind: "LINK"; linkToken: string; connectionId: string | null } | ConnectionRefused
> {
  return runAsMember(async (_services, context) => ({
    kind: "LINK",
    ...resume(context, await readKeptLink()),
  }));
}

/** Connects what the member chose in the provider's dialog. The token that it gave is good for one connection. */
export async function completeLink(input: { publicToken: string }): Promise<ConnectResult> {
  return runAsMember(async (services, context) => {
    const parsed = publicTokenSchema.safeParse(input);
    if (!parsed.success)
      return { kind: "REFUSED", message: "The bank's window gave nothing. Nothing was connected." };
    const proof = { kind: "LINK" as const, publicToken: parsed.data.publicToken };
    const { connectionId } = await connectAccounts(services, getRuntime().aggregator, context, proof);
    await forgetLink();
    return { kind: "CONNECTED", connectionId };
  });
}
