import type { IdentitySubject, SubjectState } from "@/lib/ports/identity/identity-port";

/** What the sandbox will say of a subject; chosen by the last four digits of its tax number. */
export type SandboxOutcome = "APPROVED" | "NEEDS_DOCUMENT" | "REFUSED";

/** What the sandbox does besides: answers, forgets to answer, or never hears what was said. */
export type SandboxHearing = "ANSWERS" | "ANSWER_LOST" | "NOT_HEARD";

export function outcomeOf({ taxId }: Pick<IdentitySubject, "taxId">): SandboxOutcome {
  if (taxId.endsWith("0001")) return "NEEDS_DOCUMENT";
  return taxId.endsWith("0002") ? "REFUSED" : "APPROVED";
}

export function hearingOf(subjects: readonly Pick<IdentitySubject, "taxId">[]): SandboxHearing {
  if (subjects.some(({ taxId }) => taxId.endsWith("0004"))) return "NOT_HEARD";
  return subjects.some(({ taxId }) => taxId.endsWith("0003")) ? "ANSWER_LOST" : "ANSWERS";
}

/** What is said of a subject once the check is over. */
export function decidedState(kind: IdentitySubject["kind"], outcome: SandboxOutcome): SubjectState {
  if (outcome === "APPROVED") return { state: "APPROVED" };
  if (outcome === "REFUSED") {
    const reason =
      kind === "BUSINESS"
        ? "No business of this name is registered under this EIN."
        : "The social security number belongs to somebody else.";
    return { state: "REFUSED", reason };
  }
  return kind === "BUSINESS"
    ? {
        state: "NEEDS_DOCUMENT",
        document: "FORMATION",
        reason: "The register has another address. Add the articles of organization or the EIN letter.",
      }
    : {
        state: "NEEDS_DOCUMENT",
        document: "PHOTO_ID",
        reason: "The details alone do not settle it. Add a driver’s license or a passport.",
      };
}
