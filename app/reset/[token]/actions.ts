"use server";

import { headers } from "next/headers";
import { RedirectType, redirect } from "next/navigation";
import { z } from "zod";
import { readInput, textOf } from "@/app/auth/read-input";
import { refusal, refusedField, refusedForNow, runAsVisitor } from "@/app/auth/run-as-member";
import { clearSessionCookie } from "@/app/auth/session-cookie";
import type { FormAnswer } from "@/components/parts/sign-in/form-action";
import type { Refused } from "@/lib/contract/refused";
import { CLIENT_ADDRESS_HEADER } from "@/lib/core/shared/network";
import { resetPassword } from "@/lib/core/sign-in/reset-password";
import { getRuntime } from "@/lib/next/runtime";

/** @param token from the link; opening its page changes nothing */
export async function setPassword(
  token: string,
  _previous: FormAnswer | null,
  form: FormData,
): Promise<Refused> {
  const networkAddress = (await headers()).get(CLIENT_ADDRESS_HEADER) || null;
  return runAsVisitor(async (services) => {
    const link = readInput(z.string().max(100), token);
    const given = { password: textOf(form, "password") };
    const isSandboxBank = getRuntime().isSandbox;
    const outcome = await resetPassword(services, link, given, networkAddress, { isSandboxBank });
    switch (outcome.kind) {
      case "DONE":
        await clearSessionCookie();
        return redirect("/reset/done", RedirectType.replace);
      case "INVALID":
        return refusedField("password", `The password ${outcome.message}.`);
      case "OVER":
        return refusal("This link no longer works. Your password is unchanged. Request another link.");
      case "THROTTLED":
        return refusedForNow(outcome);
    }
  });
}
