"use client";

import { useEffect, useState } from "react";
import { z } from "zod";
import { pollHref } from "@/components/act/shown-by-page";

/** Several decisions take about this long. */
const POLL_MS = 300;

const answerSchema = z.object({ decided: z.int().nonnegative() });

/**
 * How many of these proposals are decided, asked again and again while they are being decided. The answer of the decision
 * itself says what became of each, so a poll that fails only leaves the last number.
 */
export function useDecidedCount(ids: readonly string[], isDeciding: boolean): number {
  const [decided, setDecided] = useState(0);
  const query = new URLSearchParams(ids.map((id) => ["id", id])).toString();
  useEffect(() => {
    if (!isDeciding) return;
    setDecided(0);
    const ended = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    const poll = async () => {
      const count = await askDecided(query, ended.signal);
      if (ended.signal.aborted) return;
      if (count !== null) setDecided(count);
      timer = setTimeout(poll, POLL_MS);
    };
    timer = setTimeout(poll, POLL_MS);
    return () => {
      ended.abort();
      clearTimeout(timer);
    };
  }, [isDeciding, query]);
  return decided;
}

async function askDecided(query: string, signal: AbortSignal): Promise<number | null> {
  try {
    const response = await fetch(pollHref(`/approvals/review/progress?${query}`), {
      signal,
      cache: "no-store",
    });
    return response.ok ? answerSchema.parse(await response.json()).decided : null;
  } catch {
    return null;
  }
}
