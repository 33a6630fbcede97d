"use client";

import { Check, Hourglass } from "lucide-react";
import { useEffect, useState } from "react";
import { usePolling } from "@/components/act/polling";
import { pollHref } from "@/components/act/shown-by-page";
import { Button } from "@/components/ui/button";

const INTERVAL_MS = 2_000;
/** Then it stops polling. */
const MAXIMUM_WAIT_MS = 15 * 60_000;

/** Polls for a new key's first request. */
export function FirstRequest({ keyId }: { keyId: string }) {
  const { hasCome, hasStopped, lookAgain } = useFirstUse(keyId);
  return (
    <div role="status">
      {hasCome ? (
        <p className="flex items-center gap-2.5 mt-4">
          <Check />
          First request received. The key works.
        </p>
      ) : (
        <p className="flex items-center gap-2.5 mt-4 text-ink-2">
          <Hourglass />
          {hasStopped ? "No request yet." : "Waiting for its first request."}
          {hasStopped ? (
            <Button kind="quiet" size="small" onClick={lookAgain}>
              Try again
            </Button>
          ) : null}
        </p>
      )}
    </div>
  );
}

function useFirstUse(keyId: string) {
  const [isWaiting, setIsWaiting] = useState(true);
  const { data: hasCome = false } = usePolling({
    key: ["first use", keyId],
    ask: (signal) => wasUsed(keyId, signal),
    intervalMs: INTERVAL_MS,
    isOn: isWaiting,
    isLast: (isUsed) => isUsed,
  });
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setTimeout(() => setIsWaiting(false), MAXIMUM_WAIT_MS);
    return () => clearTimeout(timer);
  }, [isWaiting]);
  return { hasCome, hasStopped: !isWaiting, lookAgain: () => setIsWaiting(true) };
}

async function wasUsed(keyId: string, signal: AbortSignal): Promise<boolean> {
  const path = `/settings/api-keys/${keyId}/first-use`;
  const response = await fetch(pollHref(path), { signal, cache: "no-store" });
  if (!response.ok) throw new Error(`GET ${path} answered ${response.status}`);
  const body: unknown = await response.json();
  return typeof body === "object" && body !== null && "isUsed" in body && body.isUsed === true;
}
