import { randomBytes } from "node:crypto";

/** Where receivers answer, beneath the product's own address. */
export const RECEIVERS_PATH = "/sandbox/receivers";

const TOKEN_BYTES = 16;
const TOKEN_PATTERN = /^[0-9a-f]{32}$/;

export function newReceiverToken(): string {
  return randomBytes(TOKEN_BYTES).toString("hex");
}

/** Whether a text can be a token at all. */
export function isReceiverToken(text: string): boolean {
  return TOKEN_PATTERN.test(text);
}

export function receiverAddress(appUrl: string, token: string): string {
  return `${appUrl}${RECEIVERS_PATH}/${token}`;
}
