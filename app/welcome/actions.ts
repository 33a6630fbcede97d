"use server";

import { revalidatePath } from "next/cache";
import { RedirectType, redirect } from "next/navigation";
import { requirePlain } from "@/app/auth/read-input";
import { labeled, runAsMember } from "@/app/auth/run-as-member";
import { type FirstPods, type IdentityInput, STARTER_PODS } from "@/lib/contract/onboarding";
import type { Refused } from "@/lib/contract/refused";
import { endOnboarding as end } from "@/lib/core/organizations/end-onboarding";
import { submitIdentity as submit } from "@/lib/core/organizations/submit-identity";
import { openFirstPods as openPods } from "@/lib/core/rules/open-first-pods";
import { makeTestDeposit } from "@/lib/core/sandbox/play-bank";
import { getRuntime } from "@/lib/next/runtime";

const IDENTITY_LABELS = {
  name: "The name",
  taxId: "The number",
  bornOn: "The date of birth",
  ownsPercent: "The share",
  street: "The street",
  city: "The city",
  state: "The state",
  postalCode: "The ZIP code",
};

export async function submitIdentity(input: IdentityInput): Promise<Refused> {
  const { identity, isSandbox } = getRuntime();
  return runAsMember(
    async (services, context) => {
      await submit(services, identity, context, requirePlain(input), { isSandboxBank: isSandbox });
      redirect("/welcome", RedirectType.replace);
    },
    { toProblem: labeled(IDENTITY_LABELS) },
  );
}

export async function openFirstPods(input: FirstPods): Promise<Refused> {
  return runAsMember(
    async (services, context) => {
      await openPods(services, context, requirePlain(input));
      redirect("/welcome/rule", RedirectType.replace);
    },
    { toProblem: labeled({ name: "The name", sharePercent: "The share" }) },
  );
}

type Done = { kind: "DONE" } | Refused;

/** The suggested pods as they are, with the draft of their rule. */
export async function openStarterPods(): Promise<Done> {
  return runAsMember(async (services, context): Promise<Done> => {
    await openPods(services, context, STARTER_PODS);
    return { kind: "DONE" };
  });
}

/** Refused where a real provider is configured. */
export async function getTestDeposit(): Promise<Done> {
  return runAsMember(async (services, context): Promise<Done> => {
    await makeTestDeposit(services, getRuntime().sandbox, context);
    return { kind: "DONE" };
  });
}

export async function endOnboarding(): Promise<Refused> {
  return runAsMember(async (services, context) => {
    await end(services, context);
    revalidatePath("/", "layout");
    redirect("/");
  });
}
