"use server";

import { headers } from "next/headers";
import { RedirectType, redirect } from "next/navigation";
import { z } from "zod";
import { readInput, textOf } from "@/app/auth/read-input";
import { refusedField, refusedForNow, runAsVisitor } from "@/app/auth/run-as-member";
import type { FormAnswer } from "@/components/parts/sign-in/form-action";
import type { Refused } from "@/lib/contract/refused";
import { CLIENT_ADDRESS_HEADER } from "@/lib/core/shared/network";
import { requestPasswordReset } from "@/lib/core/sign-in/reset-password";
import { getRuntime } from "@/lib/next/runtime";

export async function requestReset(_previous: FormAnswer | null, form: FormData): Promise<Refused> {
  const networkAddress = (await headers()).get(CLIENT_ADDRESS_HEADER) || null;
  return runAsVisitor(async (services) => {
    const given = readInput(z.object({ email: z.string().max(1_000) }), { email: textOf(form, "email") });
    const isSandboxBank = getRuntime().isSandbox;
    const outcome = await requestPasswordReset(services, given, networkAddress, { isSandboxBank });
    if (outcome.kind === "THROTTLED") return refusedForNow(outcome);
    if (outcome.kind === "INVALID") return refusedField("email", "The address must be an email address.");
    redirect("/forgot?sent", RedirectType.replace);
  });
}
