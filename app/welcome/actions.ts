"use server";

import { revalidatePath } from "next/cache";
import { RedirectType, redirect } from "next/navigation";
import { refusedFields, refusedForm } from "@/app/auth/form-refusals";
import { runAsMember } from "@/app/auth/run-as-member";
import { AppError } from "@/lib/contract/error";
import { type IdentityInput, identityInputSchema } from "@/lib/contract/identity";
import { type FirstPods, firstPodsSchema } from "@/lib/contract/onboarding";
import type { FormRefused } from "@/lib/contract/views/onboarding-view";
import { endOnboarding as end } from "@/lib/core/organizations/end-onboarding";
import { submitIdentity as submit } from "@/lib/core/organizations/submit-identity";
import { openFirstPods as openPods } from "@/lib/core/rules/open-first-pods";
import { getRuntime } from "@/lib/next/runtime";

/** What a field is called at the beginning of a sentence, by the last part of its path. */
const LABELS: Readonly<Record<string, string>> = {
  name: "The name",
  taxId: "The number",
  bornOn: "The date of birth",
  ownsPercent: "The share",
  street: "The street",
  city: "The city",
  state: "The state",
  postalCode: "The ZIP code",
};

export async function submitIdentity(input: IdentityInput): Promise<FormRefused> {
  const { identity, isSandbox } = getRuntime();
  // Shown beside the fields; the verb looks again.
  const parsed = identityInputSchema.safeParse(input);
  if (!parsed.success) {
    return labelled(parsed.error.issues.map(({ path, message }) => ({ field: path.join("."), message })));
  }
  const result = await runAsMember(async (services, context) => {
    try {
      await submit(services, identity, context, input, { isSandboxBank: isSandbox });
      return { kind: "DONE" as const };
    } catch (error) {
      if (error instanceof AppError && error.details.length > 0) return labelled(error.details);
      throw error;
    }
  });
  if (result.kind === "REFUSED") return "problems" in result ? result : refusedForm(result.message);
  redirect("/welcome/identity", RedirectType.replace);
}

export async function openFirstPods(input: FirstPods): Promise<FormRefused> {
  const parsed = firstPodsSchema.safeParse(input);
  if (!parsed.success) {
    return labelled(
      parsed.error.issues.map(({ path, message }) => ({ field: path.join("."), message })),
      { name: "The name", sharePercent: "The share" },
    );
  }
  const result = await runAsMember(async (services, context) => {
    await openPods(services, context, parsed.data);
    return { kind: "DONE" as const };
  });
  if (result.kind === "REFUSED") return refusedForm(result.message);
  redirect("/welcome/rule", RedirectType.replace);
}

export async function endOnboarding(): Promise<FormRefused> {
  const result = await runAsMember(async (services, context) => {
    await end(services, context);
    return { kind: "DONE" as const };
  });
  if (result.kind === "REFUSED") return refusedForm(result.message);
  revalidatePath("/", "layout");
  redirect("/");
}

function labelled(
  details: readonly { field: string; message: string }[],
  labels: Readonly<Record<string, string>> = LABELS,
): FormRefused {
  const byPath = Object.fromEntries(
    details.map(({ field }) => [field, labels[field.split(".").at(-1) ?? ""] ?? "This"]),
  );
  return refusedFields(details, byPath);
}
