import type { Refused } from "@/lib/contract/refused";

/** `SAID`: it worked, and the page stays; otherwise the action redirects. */
export type FormAnswer = Refused | { kind: "SAID"; message: string };

/** The server action of a form, as `useActionState` calls it. */
export type FormAction = (previous: FormAnswer | null, form: FormData) => Promise<FormAnswer>;

export interface SignUpActions {
  begin: FormAction;
  verify: FormAction;
  resend: () => Promise<FormAnswer>;
  startOver: () => Promise<void>;
}

export type OnboardingStepId = "YOU" | "ORGANIZATION" | "IDENTITY" | "BANK" | "PODS" | "RULE" | "KEY";

export interface OnboardingStepView {
  id: OnboardingStepId;
  isDone: boolean;
  /** What exists already, in a few words. */
  note: string | null;
  /** Null: it cannot be revisited. */
  href: string | null;
}

export type IdentitySubjectState =
  | { state: "CHECKING" }
  | { state: "APPROVED" }
  | { state: "NEEDS_DOCUMENT"; document: "PHOTO_ID" | "FORMATION"; reason: string }
  | { state: "REFUSED"; reason: string };

export interface IdentitySubjectView {
  kind: "BUSINESS" | "PERSON";
  name: string;
  /** Null for the business itself and for an individual. */
  ownsPercent: number | null;
  taxIdLast4: string;
  said: IdentitySubjectState;
}

export interface IdentityView {
  status: "NEEDED" | "SUBMITTING" | "CHECKING" | "NEEDS_DOCUMENT" | "APPROVED" | "REFUSED";
  /** Why it is needed again; null the first time. */
  problem: string | null;
  subjects: IdentitySubjectView[];
}

/** The first steps of a new organization, derived from its data: any browser continues where another stopped. */
export interface OnboardingView {
  organization: { name: string; kind: "INDIVIDUAL" | "BUSINESS" };
  /** The reader. */
  memberName: string;
  steps: OnboardingStepView[];
  identity: IdentityView;
  /** At most three are named. */
  connections: { id: string; institutionName: string }[];
  pods: { id: string; name: string }[];
  /** A draft of the first rule by this member; null without one. */
  ruleDraftHref: string | null;
  /** The first unfinished step; null once all are done. */
  nextHref: string | null;
}
