import { createHash, randomBytes } from "node:crypto";

const TOKEN_PATTERN = /^[A-Za-z0-9_-]{43}$/;

/** 256 random bits, as they stand in the address of the email. */
export function newInvitationToken(): string {
  return randomBytes(32).toString("base64url");
}

/** What is stored of a token; null for what cannot be one. */
export function hashInvitationToken(token: string): Buffer | null {
  return TOKEN_PATTERN.test(token) ? createHash("sha256").update(token).digest() : null;
}

/** The token is in the path, and in no other address of ours. */
export function invitationHref(token: string): string {
  return `/invitations/${encodeURIComponent(token)}`;
}
