import { randomBytes } from "node:crypto";

/** How the authorization server came to know a client. */
export type KnownBy = "OPERATOR" | "REGISTRATION" | "METADATA_DOCUMENT";

const PREFIXES = { OPERATOR: "op_", REGISTRATION: "dyn_" } as const;
const ID_BYTES = 16;

/** The prefix says how it is known; no client chooses its id. */
export function newClientId(knownBy: keyof typeof PREFIXES): string {
  return `${PREFIXES[knownBy]}${randomBytes(ID_BYTES).toString("base64url")}`;
}

/** A client whose id is an address is described there (Client ID Metadata Document). */
export function knownByOf(clientId: string): KnownBy {
  if (/^https:\/\//i.test(clientId)) return "METADATA_DOCUMENT";
  return clientId.startsWith(PREFIXES.OPERATOR) ? "OPERATOR" : "REGISTRATION";
}
