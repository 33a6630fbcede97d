import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import type { PasskeyAssertion, PasskeyAttestation } from "@/lib/contract/confirmation/decision";
import type { PasskeyCreationOptions, PasskeyRequestOptions } from "@/lib/contract/confirmation/passkeys";

/** User present, user verified. */
const PRESENT_AND_VERIFIED = 0x01 | 0x04;
const HAS_CREDENTIAL_DATA = 0x40;

/**
 * A passkey in software (WebAuthn Level 3, ES256, attestation "none"): the signatures are real, so the server would
 * accept the same from a device. Each way to misbehave is a public field or an argument.
 */
export class SoftwareAuthenticator {
  readonly credentialId = randomBytes(32).toString("base64url");
  /** The last signature counter; set it back to play a clone. */
  counter = 0;
  /** The origin that the requesting page claims. */
  origin: string;
  flags = PRESENT_AND_VERIFIED;
  readonly #privateKey: KeyObject;
  readonly #publicKey: KeyObject;

  constructor(origin: string) {
    this.origin = origin;
    const pair = generateKeyPairSync("ec", { namedCurve: "P-256" });
    this.#privateKey = pair.privateKey;
    this.#publicKey = pair.publicKey;
  }

  /** Creates the passkey, as `navigator.credentials.create()` does. */
  create(options: PasskeyCreationOptions): PasskeyAttestation {
    const clientData = this.#clientData("webauthn.create", options.challenge);
    const credentialId = Buffer.from(this.credentialId, "base64url");
    const authenticatorData = Buffer.concat([
      this.#authenticatorData(options.rp.id ?? "", this.flags | HAS_CREDENTIAL_DATA),
      Buffer.alloc(16),
      Buffer.from([credentialId.length >> 8, credentialId.length & 0xff]),
      credentialId,
      this.#cosePublicKey(),
    ]);
    const attestationObject = cborMap([
      [cborText("fmt"), cborText("none")],
      [cborText("attStmt"), cborMap([])],
      [cborText("authData"), cborBytes(authenticatorData)],
    ]);
    return {
      id: this.credentialId,
      rawId: this.credentialId,
      type: "public-key",
      clientExtensionResults: {},
      response: {
        clientDataJSON: clientData.toString("base64url"),
        attestationObject: attestationObject.toString("base64url"),
        transports: ["internal"],
      },
    };
  }

  /** Signs a challenge, as `navigator.credentials.get()` does. */
  get(options: PasskeyRequestOptions): PasskeyAssertion {
    this.counter += 1;
    const clientData = this.#clientData("webauthn.get", options.challenge);
    const authenticatorData = this.#authenticatorData(options.rpId ?? "", this.flags);
    const signed = Buffer.concat([authenticatorData, sha256(clientData)]);
    return {
      id: this.credentialId,
      rawId: this.credentialId,
      type: "public-key",
      clientExtensionResults: {},
      response: {
        clientDataJSON: clientData.toString("base64url"),
        authenticatorData: authenticatorData.toString("base64url"),
        signature: sign("sha256", signed, this.#privateKey).toString("base64url"),
      },
    };
  }

  #clientData(type: string, challenge: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.origin, crossOrigin: false }));
  }

  #authenticatorData(rpId: string, flags: number): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    return Buffer.concat([sha256(Buffer.from(rpId)), Buffer.from([flags]), counter]);
  }

  /** RFC 9053: key type EC2 (2), algorithm ES256 (-7), curve P-256 (1), x, y. */
  #cosePublicKey(): Buffer {
    const { x = "", y = "" } = this.#publicKey.export({ format: "jwk" });
    return cborMap([
      [cborInteger(1), cborInteger(2)],
      [cborInteger(3), cborInteger(-7)],
      [cborInteger(-1), cborInteger(1)],
      [cborInteger(-2), cborBytes(Buffer.from(x, "base64url"))],
      [cborInteger(-3), cborBytes(Buffer.from(y, "base64url"))],
    ]);
  }
}

function sha256(bytes: Buffer): Buffer {
  return createHash("sha256").update(bytes).digest();
}

/** RFC 8949, as far as a passkey needs: a major type and an argument below 65,536. */
function cborHead(majorType: number, argument: number): Buffer {
  const type = majorType << 5;
  if (argument < 24) return Buffer.from([type | argument]);
  if (argument < 256) return Buffer.from([type | 24, argument]);
  return Buffer.from([type | 25, argument >> 8, argument & 0xff]);
}

function cborInteger(value: number): Buffer {
  return value >= 0 ? cborHead(0, value) : cborHead(1, -1 - value);
}

function cborBytes(bytes: Buffer): Buffer {
  return Buffer.concat([cborHead(2, bytes.length), bytes]);
}

function cborText(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([cborHead(3, bytes.length), bytes]);
}

function cborMap(entries: [Buffer, Buffer][]): Buffer {
  return Buffer.concat([cborHead(5, entries.length), ...entries.flat()]);
}
