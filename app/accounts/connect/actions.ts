"use server";

import { z } from "zod";
import { runAsMember } from "@/app/auth/run-as-member";
import type { ConnectInput, ConnectResult } from "@/lib/contract/views/connect-view";
import { connectAccounts } from "@/lib/core/connections/connect-accounts";
import { getRuntime } from "@/lib/core/runtime";

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
