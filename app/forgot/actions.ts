"use server";

import { headers } from "next/headers";
import { RedirectType, redirect } from "next/navigation";
import { z } from "zod";
import { refusedForm, refusedForNow } from "@/app/auth/form-refusals";
import { readInput, textOf } from "@/app/auth/read-input";
import type { FormAnswer, FormRefused } from "@/lib/contract/views/onboarding-view";
import { CLIENT_ADDRESS_HEADER } from "@/lib/core/shared/network";
import { requestPasswordReset } from "@/lib/core/sign-in/reset-password";
import { runGuarded } from "@/lib/next/run-guarded";
import { getRuntime } from "@/lib/next/runtime";

export async function requestReset(_previous: FormAnswer | null, form: FormData): Promise<FormRefused> {
  const given = readInput(z.object({ email: z.string().max(1_000) }), { email: textOf(form, "email") });
  const { services, isSandbox } = getRuntime();
  const networkAddress = (await headers()).get(CLIENT_ADDRESS_HEADER) || null;
  const outcome = await runGuarded(() =>
    requestPasswordReset(services, given, networkAddress, { isSandboxBank: isSandbox }),
  );
  if (outcome.kind === "ERROR") return refusedForm(`${outcome.message} Request ${outcome.requestId}.`);
  if (outcome.kind === "THROTTLED") return refusedForNow(outcome);
  if (outcome.kind === "INVALID") {
    return { kind: "REFUSED", message: null, problems: { email: "The address must be an email address." } };
  }
  redirect("/forgot?sent", RedirectType.replace);
}
