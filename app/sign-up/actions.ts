"use server";

import { headers } from "next/headers";
import { RedirectType, redirect } from "next/navigation";
import { z } from "zod";
import { readBrowserFacts } from "@/app/auth/browser-cookie";
import { enterSession } from "@/app/auth/enter-session";
import { readInput, textOf } from "@/app/auth/read-input";
import {
  labeled,
  refusal,
  refusedField,
  refusedFields,
  refusedForNow,
  runAsVisitor,
} from "@/app/auth/run-as-member";
import { clearSignUpCookie, readSignUpCookie, writeSignUpCookie } from "@/app/auth/sign-up-cookie";
import type { FormAnswer } from "@/components/parts/sign-in/form-action";
import type { Refused } from "@/lib/contract/refused";
import { finishSignUp as finish, verifySignUp } from "@/lib/core/organizations/finish-sign-up";
import { CLIENT_ADDRESS_HEADER } from "@/lib/core/shared/network";
import { beginSignUp as begin, resendSignUpCode } from "@/lib/core/sign-in/begin-sign-up";
import { getRuntime } from "@/lib/next/runtime";
import { wrongCode } from "@/lib/words/wrong-code";

const toProblem = labeled({
  name: "The name",
  email: "The address",
  password: "The password",
  kind: "The kind",
  timeZone: "The time zone",
});
const CLOSED = "Someone else has set up this server, and sign-up is now closed. Nothing was created.";
const OVER = "This took too long, or was started in another browser. Load this page again and start over.";

export async function beginSignUp(_previous: FormAnswer | null, form: FormData): Promise<Refused> {
  const { signUp, isSandbox } = getRuntime();
  const networkAddress = await readNetworkAddress();
  return runAsVisitor(async (services) => {
    const given = {
      name: textOf(form, "name"),
      email: textOf(form, "email"),
      password: textOf(form, "password"),
    };
    const outcome = await begin(services, given, networkAddress, {
      policy: signUp,
      isSandboxBank: isSandbox,
    });
    if (outcome.kind === "THROTTLED") return refusedForNow(outcome);
    if (outcome.kind === "INVALID") return refusedFields(outcome.details, toProblem);
    if (outcome.kind === "CLOSED") return refusal(CLOSED);
    await writeSignUpCookie(outcome.token);
    redirect("/sign-up", RedirectType.replace);
  });
}

export async function verifyAddress(_previous: FormAnswer | null, form: FormData): Promise<Refused> {
  const networkAddress = await readNetworkAddress();
  const token = (await readSignUpCookie()) ?? "";
  return runAsVisitor(async (services) => {
    const { code } = readInput(z.object({ code: z.string().max(40) }), { code: textOf(form, "code") });
    const outcome = await verifySignUp(services, token, code, networkAddress);
    switch (outcome.kind) {
      case "VERIFIED":
        return redirect("/sign-up/organization", RedirectType.replace);
      case "WRONG":
        return refusedField("code", wrongCode(outcome.triesLeft));
      case "OVER":
        return refusal("This code no longer works. Send another one.");
      case "THROTTLED":
        return refusedForNow(outcome);
    }
  });
}

export async function resendCode(): Promise<FormAnswer> {
  const networkAddress = await readNetworkAddress();
  const token = (await readSignUpCookie()) ?? "";
  return runAsVisitor(async (services): Promise<FormAnswer> => {
    const isSandboxBank = getRuntime().isSandbox;
    const outcome = await resendSignUpCode(services, token, networkAddress, { isSandboxBank });
    if (outcome.kind === "THROTTLED") return refusedForNow(outcome);
    if (outcome.kind === "OVER") return refusal(OVER);
    return { kind: "SAID", message: "Another email is on its way. The previous code no longer works." };
  });
}

/** Only in this browser; the row in the database expires. */
export async function startOver(): Promise<void> {
  await clearSignUpCookie();
  redirect("/sign-up", RedirectType.replace);
}

/** Creates the organization, its owner, and the session of the person who verified the address. */
export async function finishSignUp(_previous: FormAnswer | null, form: FormData): Promise<Refused> {
  const browser = await readBrowserFacts();
  const token = (await readSignUpCookie()) ?? "";
  return runAsVisitor(async (services) => {
    const given = {
      kind: textOf(form, "kind"),
      name: textOf(form, "name"),
      timeZone: textOf(form, "timeZone"),
    };
    const outcome = await finish(services, token, given, browser, getRuntime().signUp);
    switch (outcome.kind) {
      case "SIGNED_IN":
        await enterSession(outcome);
        await clearSignUpCookie();
        return redirect("/welcome/identity", RedirectType.replace);
      case "INVALID":
        return refusedFields(outcome.details, toProblem);
      case "CLOSED":
        return refusal(CLOSED);
      case "KNOWN":
        return refusal(
          "This address has an account by now. Sign in, or reset your password. Nothing was created.",
        );
      case "OVER":
        return refusal(OVER);
      case "THROTTLED":
        return refusedForNow(outcome);
    }
  });
}

async function readNetworkAddress(): Promise<string | null> {
  return (await headers()).get(CLIENT_ADDRESS_HEADER) || null;
}
