"use server";

import { redirect } from "next/navigation";
import { z } from "zod";
import { askingMember } from "@/app/auth/member";
import { formOf, readInput } from "@/app/auth/read-input";
import { AppError } from "@/lib/contract/error";
import { proposeMoveBack } from "@/lib/core/approvals/propose-move-back";
import { proposalHref } from "@/lib/core/approvals/read-waiting";
import { memberContext } from "@/lib/core/sign-in/member-context";
import { runGuarded } from "@/lib/next/run-guarded";
import { getRuntime } from "@/lib/next/runtime";

const inputSchema = z.object({ transferId: z.uuid(), reason: z.string().max(5_000) });

/** Proposes the way back, and opens the proposal; the sentence when it could not. */
export async function moveBack(
  transferId: string,
  _previous: string | null,
  form: FormData,
): Promise<string | null> {
  const asking = await askingMember();
  if (asking.kind === "REFUSED") return asking.message;
  const { services } = getRuntime();
  const result = await runGuarded(async () => {
    try {
      const input = readInput(inputSchema, { transferId, reason: formOf(form).get("reason") ?? "" });
      const id = await proposeMoveBack(services, memberContext(services, asking.member), input);
      return { kind: "PROPOSED" as const, id };
    } catch (error) {
      if (error instanceof AppError) return { kind: "REFUSED" as const, message: error.message };
      throw error;
    }
  });
  if (result.kind === "PROPOSED") redirect(proposalHref(result.id));
  return result.kind === "ERROR" ? `${result.message} Request ${result.requestId}.` : result.message;
}
