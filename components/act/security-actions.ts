import type { PasskeyAttestation } from "@/lib/contract/confirmation/decision";
import type { NewAuthenticatorView, PasskeyCreationOptions } from "@/lib/contract/confirmation/passkeys";
import type { Refused } from "@/lib/contract/refused";

/** Outcome of a change to a member's own ways to sign in. */
export type SecurityResult =
  | { kind: "DONE" }
  /** Shown once: only hashes are stored. */
  | { kind: "CODES"; codes: string[] }
  | Refused;

/** The server actions of the security section. */
export interface SecurityActions {
  beginEnrollment: () => Promise<{ kind: "BEGUN"; options: PasskeyCreationOptions } | Refused>;
  /** Answers `CODES` when this was the member's first passkey and recovery codes were made with it. */
  finishEnrollment: (input: { name: string; response: PasskeyAttestation }) => Promise<SecurityResult>;
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
