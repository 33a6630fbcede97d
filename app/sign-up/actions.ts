"use server";

import { headers } from "next/headers";
import { RedirectType, redirect } from "next/navigation";
import { z } from "zod";
import { readBrowserFacts } from "@/app/auth/browser-cookie";
import { enterSession } from "@/app/auth/enter-session";
import { leavingForm, visitorAction, visitorForm } from "@/app/auth/member-action";
import { labeled, refusal, refusedField, refusedFields, refusedForNow } from "@/app/auth/run-as-member";
import { clearSignUpCookie, readSignUpCookie, writeSignUpCookie } from "@/app/auth/sign-up-cookie";
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

// The commands say what is wrong with a field; a field that the form does not have is empty.
const text = z.string().default("");

export const beginSignUp = visitorForm(
  { input: z.object({ name: text, email: text, password: text }) },
  async (services, given) => {
    const { signUp, isSandbox } = getRuntime();
    const outcome = await begin(services, given, await readNetworkAddress(), {
      policy: signUp,
      isSandboxBank: isSandbox,
    });
    if (outcome.kind === "THROTTLED") return refusedForNow(outcome);
    if (outcome.kind === "INVALID") return refusedFields(outcome.details, toProblem);
    if (outcome.kind === "CLOSED") return refusal(CLOSED);
    await writeSignUpCookie(outcome.token);
    redirect("/sign-up", RedirectType.replace);
  },
);

export const verifyAddress = visitorForm(
  { input: z.object({ code: z.string().max(40) }) },
  async (services, { code }) => {
    const outcome = await verifySignUp(services, await readToken(), code, await readNetworkAddress());
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
  },
);

export const resendCode = visitorAction({}, async (services) => {
  const isSandboxBank = getRuntime().isSandbox;
  const networkAddress = await readNetworkAddress();
  const outcome = await resendSignUpCode(services, await readToken(), networkAddress, { isSandboxBank });
  if (outcome.kind === "THROTTLED") return refusedForNow(outcome);
  if (outcome.kind === "OVER") return refusal(OVER);
  return { kind: "SAID", message: "Another email is on its way. The previous code no longer works." };
});

/** Only in this browser; the row in the database expires. */
export const startOver = leavingForm({ input: z.object({}) }, async () => {
  await clearSignUpCookie();
  redirect("/sign-up", RedirectType.replace);
});

/** Creates the organization, its owner, and the session of the person who verified the address. */
export const finishSignUp = visitorForm(
  { input: z.object({ kind: text, name: text, timeZone: text }) },
  async (services, given) => {
    const browser = await readBrowserFacts();
    const outcome = await finish(services, await readToken(), given, browser, getRuntime().signUp);
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
  },
);

async function readToken(): Promise<string> {
  return (await readSignUpCookie()) ?? "";
}

async function readNetworkAddress(): Promise<string | null> {
  return (await headers()).get(CLIENT_ADDRESS_HEADER) || null;
}
