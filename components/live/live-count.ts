/** What waits, as last heard; null: nothing newer than what the server rendered. */
let liveCount: number | null = null;
const listeners = new Set<() => void>();

export function setLiveCount(count: number | null): void {
  if (count === liveCount) return;
  liveCount = count;
  for (const listener of listeners) listener();
}

export const readLiveCount = (): number | null => liveCount;

export const liveCountOnServer = (): number | null => null;

export function subscribeToLiveCount(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
