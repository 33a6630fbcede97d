"use server";

import { headers } from "next/headers";
import { RedirectType, redirect } from "next/navigation";
import { z } from "zod";
import { refusedForm, refusedForNow } from "@/app/auth/form-refusals";
import { readInput, textOf } from "@/app/auth/read-input";
import { clearSessionCookie } from "@/app/auth/session-cookie";
import type { FormAnswer, FormRefused } from "@/lib/contract/views/onboarding-view";
import { CLIENT_ADDRESS_HEADER } from "@/lib/core/shared/network";
import { resetPassword } from "@/lib/core/sign-in/reset-password";
import { runGuarded } from "@/lib/next/run-guarded";
import { getRuntime } from "@/lib/next/runtime";

/** Takes first the token of the page; opening the page does nothing, this does. */
export async function setPassword(
  token: string,
  _previous: FormAnswer | null,
  form: FormData,
): Promise<FormRefused> {
  const given = { password: textOf(form, "password") };
  const link = readInput(z.string().max(100), token);
  const { services, isSandbox } = getRuntime();
  const networkAddress = (await headers()).get(CLIENT_ADDRESS_HEADER) || null;
  const outcome = await runGuarded(() =>
    resetPassword(services, link, given, networkAddress, { isSandboxBank: isSandbox }),
  );
  switch (outcome.kind) {
    case "DONE":
      await clearSessionCookie();
      return redirect("/reset/done", RedirectType.replace);
    case "INVALID":
      return {
        kind: "REFUSED",
        message: null,
        problems: { password: `The password ${outcome.message}.` },
      };
    case "OVER":
      return refusedForm("This link works no longer. Your password is as it was. Ask for another link.");
    case "THROTTLED":
      return refusedForNow(outcome);
    case "ERROR":
      return refusedForm(`${outcome.message} Request ${outcome.requestId}.`);
  }
}
