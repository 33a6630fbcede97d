"use server";

import { headers } from "next/headers";
import { RedirectType, redirect } from "next/navigation";
import { z } from "zod";
import { visitorForm } from "@/app/auth/member-action";
import { refusedField, refusedForNow } from "@/app/auth/run-as-member";
import { CLIENT_ADDRESS_HEADER } from "@/lib/core/shared/network";
import { requestPasswordReset } from "@/lib/core/sign-in/reset-password";
import { getRuntime } from "@/lib/next/runtime";

export const requestReset = visitorForm(
  { input: z.object({ email: z.string().max(1_000) }) },
  async (services, given) => {
    const networkAddress = (await headers()).get(CLIENT_ADDRESS_HEADER) || null;
    const isSandboxBank = getRuntime().isSandbox;
    const outcome = await requestPasswordReset(services, given, networkAddress, { isSandboxBank });
    if (outcome.kind === "THROTTLED") return refusedForNow(outcome);
    if (outcome.kind === "INVALID") return refusedField("email", "The address must be an email address.");
    redirect("/forgot?sent", RedirectType.replace);
  },
);
