"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { SignedOut } from "@/components/act/ask-live";
import { usePolling } from "@/components/act/polling";
import { QueryProvider } from "@/components/act/query-provider";
import { pollHref } from "@/components/act/shown-by-page";

export interface WatchedVersion {
  /** Answers `{ "version": string }`. */
  path: string;
  /** The version shown on the page. */
  version: string;
  intervalMs: number;
}

/** Loaded once the page is interactive: the approval page brings no queries of its own. */
export function RefreshWhenChanged(watched: WatchedVersion) {
  return (
    <QueryProvider>
      <Poll {...watched} />
    </QueryProvider>
  );
}

function Poll({ path, version, intervalMs }: WatchedVersion) {
  const router = useRouter();
  const { data, dataUpdatedAt } = usePolling({
    key: ["version", path],
    ask: (signal) => readVersion(path, signal),
    intervalMs,
    isOn: true,
  });
  useEffect(() => {
    // Also for the same answer: a refresh may have failed.
    if (dataUpdatedAt > 0 && data !== undefined && data !== version) router.refresh();
  }, [router, data, dataUpdatedAt, version]);
  return null;
}

async function readVersion(path: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(pollHref(path), {
    signal,
    cache: "no-store",
    headers: { accept: "application/json" },
  });
  if (response.status === 401) throw new SignedOut("The session has ended");
  if (!response.ok) throw new Error(`GET ${path} answered ${response.status}`);
  const body: unknown = await response.json();
  if (!hasVersion(body)) throw new Error(`GET ${path} returned an unexpected answer`);
  return body.version;
}

function hasVersion(body: unknown): body is { version: string } {
  return typeof body === "object" && body !== null && "version" in body && typeof body.version === "string";
}
