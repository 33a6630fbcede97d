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

/** What an authenticator app needs, shown once. */
export interface NewAuthenticatorView {
  /** Base 32, for typing. */
  secret: string;
  /** One path over a square of `size` units. */
  qr: { size: number; path: string };
}
