"use client";

import { useEffect, useSyncExternalStore } from "react";
import type { LiveView } from "@/lib/contract/views/shell-view";

/** How many proposals wait; nothing for zero. @param count as the server rendered it */
export function WaitingCount({ count }: { count: number }) {
  const heard = useSyncExternalStore(subscribeToLiveCount, readLiveCount, liveCountOnServer);
  const waiting = heard ?? count;
  if (waiting === 0) return null;
  return (
    <span className="count">
      {waiting}
      <span className="vh"> waiting</span>
    </span>
  );
}

/** Null: nothing newer than what the server rendered. */
let liveCount: number | null = null;
const listeners = new Set<() => void>();

export function setLiveCount(count: number | null): void {
  if (count === liveCount) return;
  liveCount = count;
  for (const listener of listeners) listener();
}

const readLiveCount = (): number | null => liveCount;

const liveCountOnServer = (): number | null => null;

function subscribeToLiveCount(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const COUNTED = /^\(\d+\) /;

/** How many wait, in the title and on the app's icon. @param shown from the server; replaces an earlier poll */
export function LiveCount({ shown }: { shown: LiveView }) {
  const heard = useSyncExternalStore(subscribeToLiveCount, readLiveCount, liveCountOnServer);
  const count = heard ?? shown.waitingCount;
  // By identity, not by value: the same number from the server also replaces an earlier poll.
  useEffect(() => setLiveCount(shown.waitingCount), [shown]);
  useEffect(() => showBadge(count), [count]);
  useTitleCount(count);
  return null;
}

/** `(3) Accounts · Sluice`, on every page. */
function useTitleCount(count: number): void {
  useEffect(() => {
    const write = () => {
      const title = document.title.replace(COUNTED, "");
      const counted = count > 0 ? `(${count}) ${title}` : title;
      if (document.title !== counted) document.title = counted;
    };
    write();
    const observer = new MutationObserver(write);
    observer.observe(document.head, { childList: true, subtree: true, characterData: true });
    return () => observer.disconnect();
  }, [count]);
}

/** The badge on the installed app's icon; 0 removes it. */
export function showBadge(count: number): void {
  if (!("setAppBadge" in navigator)) return;
  const shown = count > 0 ? navigator.setAppBadge(count) : navigator.clearAppBadge();
  // Refused where the app is not installed; the page shows the number anyway.
  shown.catch(() => undefined);
}
