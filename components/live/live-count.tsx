"use client";

import { useEffect, useSyncExternalStore } from "react";
import type { LiveView } from "@/lib/contract/views/live-view";

/** How many proposals wait, as last heard; nothing where none does. @param count as the server rendered it */
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

/** What waits, as last heard; null: nothing newer than what the server rendered. */
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

/** How many wait, in the title and on the app's icon. @param shown as the server rendered it, newer than what was heard */
export function LiveCount({ shown }: { shown: LiveView }) {
  const heard = useSyncExternalStore(subscribeToLiveCount, readLiveCount, liveCountOnServer);
  const count = heard ?? shown.waitingCount;
  // Of the object, not of its number: the same number from the server also takes back what was heard before.
  useEffect(() => setLiveCount(shown.waitingCount), [shown]);
  useEffect(() => showBadge(count), [count]);
  useTitleCount(count);
  return null;
}

/** Writes how many wait before the page's title: `(3) Accounts · Sluice`, whatever page comes next. */
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

/** The number on the installed app's icon; 0 takes it away. Where there are no badges, nothing. */
export function showBadge(count: number): void {
  if (!("setAppBadge" in navigator)) return;
  const shown = count > 0 ? navigator.setAppBadge(count) : navigator.clearAppBadge();
  // A browser that is not installed may refuse: the page shows the number all the same.
  shown.catch(() => undefined);
}
