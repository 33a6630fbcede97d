/** What is open over the page. */
export type Opened = "PALETTE" | "KEYS" | null;

let opened: Opened = null;
const listeners = new Set<() => void>();

/** Opens one of the two over the page, instead of the other, or closes what is open. */
export function open(next: Opened): void {
  opened = next;
  for (const listener of listeners) listener();
}

export const readOpened = (): Opened => opened;

/** Nothing is open on a page that comes from the server. */
export const openedOnServer = (): Opened => null;

export function subscribeToOpened(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
