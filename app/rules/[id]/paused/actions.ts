"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";
import { readInput } from "@/app/auth/read-input";
import { runAsMember } from "@/app/auth/run-as-member";
import type { Refused } from "@/lib/contract/refused";
import { pausedHref } from "@/lib/contract/rule-hrefs";
import type { ReversalsResult } from "@/lib/contract/views/pause-view";
import { proposeReversals } from "@/lib/core/approvals/propose-move-back";

/** Proposes the way back of everything that was split, each decided like any proposal. */
export async function proposeAll(
  ruleId: string,
): Promise<({ kind: "PROPOSED" } & ReversalsResult) | Refused> {
  const id = readInput(z.uuid(), ruleId);
  const result = await runAsMember(async (services, context, time) => ({
    kind: "PROPOSED" as const,
    ...(await proposeReversals(services, context, id, time)),
  }));
  revalidatePath(pausedHref(id));
  return result;
}
