import type { IdentityInput } from "@/lib/contract/onboarding";
import type { Refused } from "@/lib/contract/refused";

/** `SAID`: it worked, and the page stays; otherwise the action redirects. */
export type FormAnswer = Refused | { kind: "SAID"; message: string };

/** The server action of a form, as `useActionState` calls it. */
export type FormAction = (previous: FormAnswer | null, form: FormData) => Promise<FormAnswer>;

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

export type ChecklistItemId =
  | "IDENTITY"
  | "PODS"
  | "BANK"
  | "MONEY"
  | "MOVE"
  | "RULE"
  | "KEY"
  | "PASSKEY"
  | "PHONE";

export interface ChecklistItemView {
  id: ChecklistItemId;
  isDone: boolean;
  isOptional: boolean;
  /** The outcome comes without the reader: the page looks again. */
  isUnderway: boolean;
  /** What exists, or what keeps it from being done. */
  note: string | null;
  /** What its link says and opens; null: nothing to do, or not possible yet. */
  link: { label: string; href: string } | null;
}

/** Shown on Overview and at /welcome. Each item follows from the organization's data, none from a flag. */
export interface ChecklistView {
  items: ChecklistItemView[];
  /** Whether the reader may do these; for others the list only informs. */
  canDecide: boolean;
  /** Names of the pods that one press opens; null once there are any, and before the identity check is approved. */
  starterPods: string[] | null;
  /** Sandbox only: what one press deposits. Null without an account, and once money has arrived. */
  testDepositInCents: number | null;
  /** Whether it can be put away: from an approved identity check on. */
  canEnd: boolean;
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
  /** A saved rule, while none is active. */
  inactiveRule: { name: string; href: string } | null;
  /** The first unfinished step; null once all are done. */
  nextHref: string | null;
  /** Sandbox only: made-up details that the check approves. */
  sampleIdentity: IdentityInput | null;
  checklist: ChecklistView;
  /** Whether Overview shows the checklist: until a member puts it away; without an identity check, until money moves. */
  isOpen: boolean;
}
