import type { Refused } from "@/lib/contract/refused";
import type {
  PasskeyAssertion,
  PasskeyAttestation,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
} from "@/lib/contract/views/decision";
import type { PresenceActions } from "@/lib/contract/views/keys-view";

/** What became of one attempt to sign in. */
export type SignInResult =
  | { kind: "SIGNED_IN"; href: string }
  /** One sentence; it never says whether the address exists. */
  | { kind: "FAILED"; message: string }
  /** The password is right, and takes the code of an authenticator app too. */
  | { kind: "CODE_NEEDED" }
  | { kind: "THROTTLED"; retryAfterSeconds: number };

/** What became of the form that the browser sent by itself. A password stays in no page. */
export interface SentSignIn {
  email: string;
  result: Exclude<SignInResult, { kind: "SIGNED_IN" }>;
  /** The password takes the code of an authenticator app too. */
  needsCode: boolean;
}

/** The server actions of the sign-in page. */
export interface SignInActions {
  /** Of the form as the browser sends it before the scripts of the page run, or without them. */
  signInByForm: (previous: SentSignIn | null, form: FormData) => Promise<SentSignIn>;
  signInWithPassword: (input: { email: string; password: string; code?: string }) => Promise<SignInResult>;
  beginPasskeySignIn: () => Promise<PasskeyRequestOptions>;
  signInWithPasskey: (response: PasskeyAssertion) => Promise<SignInResult>;
  signInWithRecoveryCode: (input: { email: string; password: string; code: string }) => Promise<SignInResult>;
}

export interface SignInView {
  /** Null before an organization exists. */
  organizationName: string | null;
  isSandbox: boolean;
  /** Whether a stranger may make an account. */
  isSignUpOpen: boolean;
}

export interface PasskeyView {
  id: string;
  name: string;
  addedAt: string;
  lastUsedAt: string | null;
}

/** A member's own ways to sign in. */
export interface SecurityView {
  passkeys: PasskeyView[];
  /** Null when none were made. */
  recoveryCodes: { leftCount: number; madeCount: number; madeAt: string } | null;
  authenticator: { addedAt: string } | null;
  /** Null: as it was first set. */
  passwordChangedAt: string | null;
  /** Where they are signed in: this one first, then as they were last seen; at most 50. */
  sessions: SessionView[];
}

export interface SessionView {
  id: string;
  /** `Chrome on macOS`, as the browser says of itself. */
  browser: string;
  /** Network that it signed in from, shortened; null where it is not known. */
  network: string | null;
  startedAt: string;
  /** Within the hour. */
  lastSeenAt: string;
  isThisOne: boolean;
}

/** What an app needs, shown once. */
export interface NewAuthenticatorView {
  /** Base 32, for who types it. */
  secret: string;
  /** One path over a square of `size` units. */
  qr: { size: number; path: string };
}

/** What is left until an organization that asks for a second factor lets a session in. */
export type FactorStep =
  /** `isAll`: after it they are let in; else they have no second factor, and add one then. */
  { kind: "PROVE"; proof: "PASSKEY" | "PASSWORD" | "PASSWORD_AND_CODE"; isAll: boolean } | { kind: "ADD" };

export interface SecondFactorView {
  /** What every request from this page says that it showed (lib/contract/shown.ts). */
  shown: string;
  organizationName: string;
  /** Of theirs, which this one keeps nobody from. */
  others: { id: string; name: string }[];
  email: string;
  step: FactorStep;
  isSandbox: boolean;
}

/** The server actions of the page for a second factor. */
export interface SecondFactorActions
  extends Pick<
    SecurityActions,
    | "beginEnrolment"
    | "finishEnrolment"
    | "beginAuthenticator"
    | "confirmAuthenticator"
    | "beginPresence"
    | "confirmPresence"
  > {
  signOut: () => Promise<void>;
}

/** What became of a change to one's own ways to sign in. */
export type SecurityResult =
  | { kind: "DONE" }
  /** Shown once: only their hashes are kept. */
  | { kind: "CODES"; codes: string[] }
  | Refused;

/** The server actions of the security section. */
export interface SecurityActions extends PresenceActions {
  beginEnrolment: () => Promise<{ kind: "BEGUN"; options: PasskeyCreationOptions } | Refused>;
  /** Answers `CODES` when this was the member's first passkey and recovery codes were made with it. */
  finishEnrolment: (input: { name: string; response: PasskeyAttestation }) => Promise<SecurityResult>;
  renamePasskey: (input: { passkeyId: string; name: string }) => Promise<SecurityResult>;
  removePasskey: (input: { passkeyId: string }) => Promise<SecurityResult>;
  makeRecoveryCodes: () => Promise<SecurityResult>;
  endOtherSessions: () => Promise<SecurityResult>;
  endSession: (input: { sessionId: string }) => Promise<SecurityResult>;
  beginAuthenticator: () => Promise<{ kind: "BEGUN"; authenticator: NewAuthenticatorView } | Refused>;
  /** Answers `CODES` when recovery codes were made with it. */
  confirmAuthenticator: (input: { code: string }) => Promise<SecurityResult>;
  removeAuthenticator: () => Promise<SecurityResult>;
  changePassword: (input: { password: string }) => Promise<SecurityResult>;
}

/** Longest name of a passkey, in characters. */
export const PASSKEY_NAME_LIMIT = 60;
