"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useEffect, useState } from "react";

interface RefreshWhenChangedProps {
  /** Answers `{ "version": string }`. */
  path: string;
  /** The version shown on the page. */
  version: string;
  intervalMs: number;
}

/** Polls for a newer version while the page is visible, and refreshes it. */
export function RefreshWhenChanged({ path, version, intervalMs }: RefreshWhenChangedProps) {
  const router = useRouter();

  useEffect(() => {
    const stop = new AbortController();
    let isAsking = false;
    const ask = async () => {
      if (isAsking || document.hidden) return;
      isAsking = true;
      const current = await readVersion(path, stop.signal);
      isAsking = false;
      if (current !== null && current !== version && !stop.signal.aborted) router.refresh();
    };
    const timer = setInterval(ask, intervalMs);
    document.addEventListener("visibilitychange", ask, { signal: stop.signal });
    return () => {
      clearInterval(timer);
      stop.abort();
    };
  }, [path, version, intervalMs, router]);

  return null;
}

/** Null without a usable answer: the page stays as it is until the next poll. */
async function readVersion(path: string, signal: AbortSignal): Promise<string | null> {
  try {
    const response = await fetch(path, {
      signal,
      cache: "no-store",
      headers: { accept: "application/json" },
    });
    if (!response.ok) return null;
    const body: unknown = await response.json();
    return hasVersion(body) ? body.version : null;
  } catch {
    return null;
  }
}

function hasVersion(body: unknown): body is { version: string } {
  return typeof body === "object" && body !== null && "version" in body && typeof body.version === "string";
}

interface ChangedRowProps {
  /** A changed value highlights the row for two seconds. */
  watched: number | null;
  children: ReactNode;
}

/** A table row that is highlighted when its number changes. */
export function ChangedRow({ watched, children }: ChangedRowProps) {
  const [seen, setSeen] = useState(watched);
  const [isMarked, setIsMarked] = useState(false);
  if (watched !== seen) {
    setSeen(watched);
    setIsMarked(true);
  }
  return (
    <tr className={isMarked ? "is-changed" : undefined} onAnimationEnd={() => setIsMarked(false)}>
      {children}
    </tr>
  );
}
