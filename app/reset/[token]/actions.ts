"use server";

import { headers } from "next/headers";
import { RedirectType, redirect } from "next/navigation";
import { z } from "zod";
import { visitorForm } from "@/app/auth/member-action";
import { refusal, refusedField, refusedForNow } from "@/app/auth/run-as-member";
import { clearSessionCookie } from "@/app/auth/session-cookie";
import { CLIENT_ADDRESS_HEADER } from "@/lib/core/shared/network";
import { resetPassword } from "@/lib/core/sign-in/reset-password";
import { getRuntime } from "@/lib/next/runtime";

/** The token is the link's; opening its page changes nothing. */
export const setPassword = visitorForm(
  { input: z.object({ token: z.string().max(100), password: z.string() }) },
  async (services, { token, ...given }) => {
    const networkAddress = (await headers()).get(CLIENT_ADDRESS_HEADER) || null;
    const isSandboxBank = getRuntime().isSandbox;
    const outcome = await resetPassword(services, token, given, networkAddress, { isSandboxBank });
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
  },
);
