"use client";

import { useEffect, useSyncExternalStore } from "react";
import { showBadge } from "@/components/live/app-badge";
import {
  liveCountOnServer,
  readLiveCount,
  setLiveCount,
  subscribeToLiveCount,
} from "@/components/live/live-count";
import type { LiveView } from "@/lib/contract/views/live-view";

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
