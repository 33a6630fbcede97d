"use client";

import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { SignedOut } from "@/components/act/ask-live";

const MAXIMUM_INTERVAL_MS = 120_000;
const MOST_DOUBLINGS = 5;

interface Polling<Answer> {
  key: readonly string[];
  ask: (signal: AbortSignal) => Promise<Answer>;
  intervalMs: number;
  isOn: boolean;
  /** After this answer, nothing more is asked. */
  isLast?: (answer: Answer) => boolean;
}

/** Asks while the tab is visible and on focus, more slowly after failures. */
export function usePolling<Answer>({ key, ask, intervalMs, isOn, isLast }: Polling<Answer>) {
  const failures = useRef(0);
  return useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => {
      failures.current += 1;
      const answer = await ask(signal);
      failures.current = 0;
      return answer;
    },
    enabled: isOn,
    staleTime: intervalMs,
    retry: false,
    refetchOnWindowFocus: "always",
    refetchInterval: ({ state }) =>
      state.data !== undefined && isLast?.(state.data)
        ? false
        : intervalAfter(state.error, failures.current, intervalMs),
  });
}

/** Doubles after each failure; stops once signed out. */
export function intervalAfter(error: Error | null, failures: number, intervalMs: number): number | false {
  if (error instanceof SignedOut) return false;
  if (!error) return intervalMs;
  return Math.min(MAXIMUM_INTERVAL_MS, intervalMs * 2 ** Math.min(MOST_DOUBLINGS, failures));
}
