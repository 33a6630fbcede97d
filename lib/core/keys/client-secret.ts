import { createSealer } from "@/lib/platform/seal";

/** Keeps the secrets of clients, which the authorization server must be able to read again to compare them. */
export interface ClientSecrets {
  seal(secret: string, clientId: string): string;
  /** @throws SealBroken when it was altered, or is another client's. */
  open(sealed: string, clientId: string): string;
}

export function createClientSecrets(productSecret: string): ClientSecrets {
  const sealer = createSealer(productSecret, "oauth client secrets");
  return {
    seal: (secret, clientId) => sealer.seal(secret, clientId).toString("base64url"),
    open: (sealed, clientId) => sealer.open(Buffer.from(sealed, "base64url"), clientId),
  };
}
