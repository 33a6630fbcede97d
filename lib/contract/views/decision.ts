import type { Refused } from "@/lib/contract/refused";

/** What a member may decide about a proposal. */
export type Decision = "APPROVE" | "DENY";

/** Identifies what the member saw: an approval counts only for this digest (docs/behavior/approvals.md). */
export interface DecisionSubject {
  proposalId: string;
  decision: Decision;
  /** Digest of parties, amount and outcomes of the checks as rendered. Ignored for a denial. */
  digest: string;
}

/** How this member must confirm this decision. The challenge in `options` is bound to the subject and used once. */
export type ConfirmationRequest =
  | { kind: "PASSKEY"; options: PasskeyRequestOptions }
  /** `withCode`: plus a code from their authenticator app. */
  | { kind: "PASSWORD"; withCode: boolean }
  /** Signed in less than 5 minutes ago and without a passkey: no confirmation needed. */
  | { kind: "NONE" };

/** The member's proof of presence. */
export type Confirmation =
  | { kind: "PASSKEY"; response: PasskeyAssertion }
  | { kind: "PASSWORD"; password: string; code?: string }
  | { kind: "RECOVERY_CODE"; code: string }
  | { kind: "NONE" };

/** One attempt to decide. */
export interface DecideInput extends DecisionSubject {
  /** For members only, at most 280 characters; null when approving. The API never shows it. */
  note: string | null;
  confirmation: Confirmation;
}

/** Whether a confirmation could begin, or why not. */
export type BeginConfirmationResult =
  | { kind: "BEGUN"; request: ConfirmationRequest }
  | Extract<DecideResult, { kind: "ALREADY_DECIDED" | "EXPIRED" }>
  | Refused;

/** Outcome of one attempt to decide. Only `DECIDED` has changed anything. */
export type DecideResult =
  | { kind: "DECIDED" }
  | { kind: "ALREADY_DECIDED"; byName: string; decision: "APPROVED" | "DENIED"; at: string }
  /** What the member saw has changed; each change is one sentence. Nothing was decided. */
  | { kind: "CHANGED"; changes: string[] }
  | { kind: "NOT_CONFIRMED"; message: string }
  | { kind: "EXPIRED" }
  | { kind: "WOULD_FAIL"; message: string }
  | Refused;

/** Longest note of a denial, in characters (design, section 8). */
export const DENIAL_NOTE_LIMIT = 280;

/**
 * The JSON that browser and server exchange for a passkey (WebAuthn Level 3, section 5.1.9), declared here so that
 * the contract needs no library.
 */
interface CredentialDescriptor {
  id: string;
  type: string;
  transports?: string[];
}

/** What the server requests from an enrolled passkey. */
export interface PasskeyRequestOptions {
  challenge: string;
  timeout?: number;
  rpId?: string;
  allowCredentials?: CredentialDescriptor[];
  userVerification?: "discouraged" | "preferred" | "required";
}

/** What the server requests when a passkey is enrolled. */
export interface PasskeyCreationOptions {
  rp: { id?: string; name: string };
  user: { id: string; name: string; displayName: string };
  challenge: string;
  pubKeyCredParams: { alg: number; type: "public-key" }[];
  timeout?: number;
  excludeCredentials?: CredentialDescriptor[];
  authenticatorSelection?: {
    authenticatorAttachment?: "cross-platform" | "platform";
    requireResidentKey?: boolean;
    residentKey?: "discouraged" | "preferred" | "required";
    userVerification?: "discouraged" | "preferred" | "required";
  };
  attestation?: "direct" | "enterprise" | "indirect" | "none";
}

interface CredentialResponse {
  id: string;
  rawId: string;
  type: "public-key";
  authenticatorAttachment?: "cross-platform" | "platform";
  clientExtensionResults: object;
}

/** The signed answer of an enrolled passkey. Untrusted until verified on the server. */
export interface PasskeyAssertion extends CredentialResponse {
  response: { clientDataJSON: string; authenticatorData: string; signature: string; userHandle?: string };
}

/** The signed answer of a passkey being enrolled. Untrusted until verified on the server. */
export interface PasskeyAttestation extends CredentialResponse {
  response: {
    clientDataJSON: string;
    attestationObject: string;
    authenticatorData?: string;
    transports?: string[];
    publicKeyAlgorithm?: number;
    publicKey?: string;
  };
}
