import type { PasskeyAssertion } from "@/lib/contract/confirmation/decision";
import type { PasskeyRequestOptions } from "@/lib/contract/confirmation/passkeys";

/** Outcome of one attempt to sign in. */
export type SignInResult =
  | { kind: "SIGNED_IN"; href: string }
  /** One sentence; it never says whether the address exists. */
  | { kind: "FAILED"; message: string }
  /** The password is right, and takes the code of an authenticator app too. */
  | { kind: "CODE_NEEDED" }
  | { kind: "THROTTLED"; retryAfterSeconds: number };

/** Outcome of the form sent without scripts. No page ever contains the password. */
export interface SentSignIn {
  email: string;
  result: Exclude<SignInResult, { kind: "SIGNED_IN" }>;
  /** The password takes the code of an authenticator app too. */
  needsCode: boolean;
}

/** What the browser needs to ask for a passkey; `THROTTLED` when its network has asked too often. */
export type PasskeySignInBegun =
  | { kind: "BEGUN"; options: PasskeyRequestOptions }
  | Extract<SignInResult, { kind: "THROTTLED" }>;

/** The server actions of the sign-in page. */
export interface SignInActions {
  /** For the form as the browser sends it before or without scripts. */
  signInByForm: (previous: SentSignIn | null, form: FormData) => Promise<SentSignIn>;
  signInWithPassword: (input: { email: string; password: string; code?: string }) => Promise<SignInResult>;
  beginPasskeySignIn: () => Promise<PasskeySignInBegun>;
  signInWithPasskey: (response: PasskeyAssertion) => Promise<SignInResult>;
  signInWithRecoveryCode: (input: { email: string; password: string; code: string }) => Promise<SignInResult>;
}

export interface SignInView {
  /** Null before an organization exists. */
  organizationName: string | null;
  isSandbox: boolean;
  /** Whether anyone may create an account. */
  isSignUpOpen: boolean;
}
