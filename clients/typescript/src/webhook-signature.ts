import { WebhookVerificationError } from "./errors.js";

/** A parsed signature header. */
export interface ParsedSignature {
  /** Seconds since 1970, as sent: the signature covers this text. */
  t: string;
  /** Each `v1`; one match is enough. */
  candidates: Uint8Array<ArrayBuffer>[];
}

/** Far more than Sluice sends, and cheap to check. */
const MAXIMUM_HEADER_LENGTH = 1_024;
const MAXIMUM_PARTS = 16;

/**
 * Parses `t=<unix-seconds>,v1=<hex>`. Schemes other than `v1` are ignored: one may be added.
 * @throws WebhookVerificationError `MISSING_SIGNATURE` or `MALFORMED_SIGNATURE`
 */
export function parseSignature(header: string | null | undefined): ParsedSignature {
  if (!header) throw new WebhookVerificationError("MISSING_SIGNATURE");
  if (header.length > MAXIMUM_HEADER_LENGTH) throw new WebhookVerificationError("MALFORMED_SIGNATURE");
  const parts = header.split(",").map((part) => part.trim());
  const times = valuesOf(parts, "t=");
  const signatures = valuesOf(parts, "v1=");
  const [t] = times;
  const isWhole =
    parts.length <= MAXIMUM_PARTS &&
    parts.every((part) => part.includes("=")) &&
    // Two joined headers, from a proxy or an attacker. Which one counts would be a guess.
    times.length === 1 &&
    signatures.length > 0 &&
    signatures.every((signature) => /^[0-9a-f]{64}$/.test(signature));
  if (!isWhole || !t || !/^[0-9]{1,12}$/.test(t)) throw new WebhookVerificationError("MALFORMED_SIGNATURE");
  return { t, candidates: signatures.map(fromHex) };
}

/**
 * Whether one of the signatures was made with one of the secrets, over `<t>.<body>`. WebCrypto's own comparison takes
 * constant time.
 */
export async function isSigned(
  { t, candidates }: ParsedSignature,
  body: Uint8Array,
  secrets: readonly string[],
): Promise<boolean> {
  const encoder = new TextEncoder();
  const start = encoder.encode(`${t}.`);
  const signed = new Uint8Array(start.length + body.length);
  signed.set(start);
  signed.set(body, start.length);
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  let isMatch = false;
  for (const secret of secrets) {
    const key = await crypto.subtle.importKey("raw", encoder.encode(secret), algorithm, false, ["verify"]);
    for (const candidate of candidates) {
      isMatch = (await crypto.subtle.verify("HMAC", key, candidate, signed)) || isMatch;
    }
  }
  return isMatch;
}

const valuesOf = (parts: readonly string[], start: string) =>
  parts.filter((part) => part.startsWith(start)).map((part) => part.slice(start.length));

function fromHex(hex: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(hex.length / 2);
  for (const index of bytes.keys()) bytes[index] = Number.parseInt(hex.slice(index * 2, index * 2 + 2), 16);
  return bytes;
}
