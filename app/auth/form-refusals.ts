import type { FormRefused } from "@/lib/contract/views/onboarding-view";

export function refusedForm(message: string): FormRefused {
  return { kind: "REFUSED", message, problems: {} };
}

/**
 * What is wrong, beside its fields.
 * @param labels what each field is called at the beginning of a sentence
 */
export function refusedFields(
  details: readonly { field: string; message: string }[],
  labels: Readonly<Record<string, string>>,
): FormRefused {
  const problems = Object.fromEntries(
    details.map(({ field, message }) => [field, `${labels[field] ?? "This"} ${message}.`]),
  );
  return { kind: "REFUSED", message: null, problems };
}

export function refusedForNow({ retryAfterSeconds }: { retryAfterSeconds: number }): FormRefused {
  const minutes = Math.ceil(retryAfterSeconds / 60);
  return refusedForm(`Too many attempts. Nothing was sent. Try again in ${minutes}\u00a0min.`);
}
