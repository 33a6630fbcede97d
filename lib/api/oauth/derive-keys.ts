import { createPrivateKey, hkdfSync } from "node:crypto";
import type { JWK } from "oidc-provider";

/** What stands before the 32 bytes of an Ed25519 key in PKCS #8 (RFC 8410, 7). */
const PKCS8_PREFIX = Buffer.from("302e020100300506032b657004220420", "hex");

/** Signs the cookies that bind a request to the browser in which it began. The same in every process. */
export function deriveCookieKey(productSecret: string): string {
  return derive(productSecret, "sluice oauth cookies").toString("base64url");
}

/** `oidc-provider` wants a signing key. Nothing is signed with it: access tokens are opaque, and there are no ID tokens. */
export function deriveSigningKey(productSecret: string): JWK {
  const seed = derive(productSecret, "sluice oauth signing key");
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: "der", type: "pkcs8" });
  const { x = "", d = "" } = key.export({ format: "jwk" });
  return { kty: "OKP", crv: "Ed25519", x, d, use: "sig", alg: "EdDSA" };
}

function derive(productSecret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", productSecret, "", purpose, 32));
}
