"use server";

import { redirect } from "next/navigation";
import { z } from "zod";
import { formOf, readInput } from "@/app/auth/read-input";
import { runAsMember } from "@/app/auth/run-as-member";
import type { Refused } from "@/lib/contract/refused";
import { proposeMoveBack } from "@/lib/core/approvals/propose-move-back";
import { proposalHref } from "@/lib/core/approvals/read-waiting";

const inputSchema = z.object({ transferId: z.uuid(), reason: z.string().max(5_000) });

/** Proposes the way back, and opens the proposal. */
export async function moveBack(
  transferId: string,
  _previous: Refused | null,
  form: FormData,
): Promise<Refused> {
  return runAsMember(async (services, context) => {
    const input = readInput(inputSchema, { transferId, reason: formOf(form).get("reason") ?? "" });
    redirect(proposalHref(await proposeMoveBack(services, context, input)));
  });
}
