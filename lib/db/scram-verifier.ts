import { createHash, createHmac, pbkdf2Sync } from "node:crypto";

const ITERATIONS = 4096;

/**
 * What PostgreSQL stores for a password (RFC 5803, SCRAM-SHA-256). Sending this instead of the password keeps the
 * password out of the server's log, which may record every ALTER ROLE.
 * @param salt 16 bytes
 */
export function scramVerifier(password: string, salt: Buffer): string {
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, "sha256");
  const sign = (text: string) => createHmac("sha256", salted).update(text).digest();
  const storedKey = createHash("sha256").update(sign("Client Key")).digest("base64");
  const serverKey = sign("Server Key").toString("base64");
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString("base64")}$${storedKey}:${serverKey}`;
}
