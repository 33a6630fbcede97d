import { Unreadable } from "@/lib/ports/bank/unread";

/**
 * The key with which an object was created: it names whose the object is.
 * @returns null: it was created without one, so not by Sluice
 * @throws Unreadable for an answer that does not say; it must not pass for that of someone else
 */
export function keyOf({ idempotency_key: key }: { idempotency_key: string | null }): string | null {
  if (key === null || typeof key === "string") return key;
  throw new Unreadable("idempotency_key is not as documented");
}

/** A time as Increase writes it; null: it cannot be read. `new Date(null)` would be 1970. */
export function timeIn(value: unknown): Date | null {
  if (typeof value !== "string") return null;
  const at = new Date(value);
  return Number.isNaN(at.getTime()) ? null : at;
}
