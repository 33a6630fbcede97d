import { generateKeyPairSync, sign } from "node:crypto";

export interface TestCertificate {
  /** PEM. */
  key: string;
  cert: string;
}

/**
 * A self-signed certificate for a host name, as an impostor would create: written out here because Node only reads them
 * (RFC 5280, 4.1).
 */
export function makeCertificate(hostname: string): TestCertificate {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from(hostname)))));
  const alternativeName = sequence(ALTERNATIVE_NAME, der(0x04, sequence(der(0x82, Buffer.from(hostname)))));
  const toBeSigned = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    sequence(ECDSA_WITH_SHA256),
    name,
    sequence(der(0x17, Buffer.from("200101000000Z")), der(0x17, Buffer.from("491231235959Z"))),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(alternativeName)),
  );
  const signature = sign("sha256", toBeSigned, privateKey);
  const certificate = sequence(
    toBeSigned,
    sequence(ECDSA_WITH_SHA256),
    der(0x03, Buffer.concat([Buffer.from([0]), signature])),
  );
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.toString("base64")}\n-----END CERTIFICATE-----\n`,
  };
}

const COMMON_NAME = Buffer.from("0603550403", "hex");
const ALTERNATIVE_NAME = Buffer.from("0603551d11", "hex");
const ECDSA_WITH_SHA256 = Buffer.from("06082a8648ce3d040302", "hex");

function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
