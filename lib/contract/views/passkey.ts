/**
 * The JSON that a browser and a server exchange for a passkey (WebAuthn Level 3, section 5.1.9), written down
 * here so that the contract needs no library.
 */
interface CredentialDescriptor {
  id: string;
  type: string;
  transports?: string[];
}

/** What the server asks of an enrolled passkey. */
export interface PasskeyRequestOptions {
  challenge: string;
  timeout?: number;
  rpId?: string;
  allowCredentials?: CredentialDescriptor[];
  userVerification?: "discouraged" | "preferred" | "required";
}

/** What the server asks when a passkey is enrolled. */
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

/** The signed answer of a passkey that is being enrolled. Untrusted until verified on the server. */
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
