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

/** The cursor of a list's next page; null: there is none. At its end, a list may also leave it out. */
export function cursorOf({ next_cursor: cursor }: { next_cursor?: unknown }): string | null {
  const text = typeof cursor === "number" ? String(cursor) : cursor;
  return typeof text === "string" && text !== "" ? text : null;
}

/** A time as Increase writes it; null: it cannot be read. `new Date(null)` would be 1970. */
export function timeIn(value: unknown): Date | null {
  if (typeof value !== "string") return null;
  const at = new Date(value);
  return Number.isNaN(at.getTime()) ? null : at;
}
