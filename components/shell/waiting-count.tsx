"use client";

import { useQuery } from "@tanstack/react-query";
import { Count, type CountPlace } from "@/components/ui/count";
import type { LiveView } from "@/lib/contract/browser/live";

export const LIVE_KEY = ["live"] as const;

type LiveCount = keyof Pick<LiveView, "waitingCount" | "rulesCount">;

/** @param rendered by the server, until a poll says otherwise */
export function useLiveCount(of: LiveCount, rendered: number): number {
  // Only reads what components/shell/live.tsx polls.
  const { data } = useQuery<LiveView>({ queryKey: LIVE_KEY, enabled: false });
  return data?.[of] ?? rendered;
}

interface WaitingCountProps {
  of: LiveCount;
  count: number;
  place: CountPlace;
}

/** How many proposals or rules wait; nothing for zero. @param count as the server rendered it */
export function WaitingCount({ of, count, place }: WaitingCountProps) {
  const waiting = useLiveCount(of, count);
  if (waiting === 0) return null;
  return <Count count={waiting} place={place} />;
}
