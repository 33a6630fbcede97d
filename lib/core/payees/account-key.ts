import type { KeyedHash } from "@/lib/platform/keyed-hash";

/**
 * What tells that two payees, versions or registered accounts of one organization are the same bank account. Other
 * organizations get other keys for the same account. Leading zeros are left out: several banks ignore them.
 */
export function accountKey(
  hash: KeyedHash,
  organizationId: string,
  { routingNumber, accountNumber }: { routingNumber: string; accountNumber: string },
): Buffer {
  return hash(organizationId, routingNumber, accountNumber.replace(/^0+(?=.)/, ""));
}
