"use client";

import { useSyncExternalStore } from "react";
import { liveCountOnServer, readLiveCount, subscribeToLiveCount } from "@/components/live/live-count";

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
