"use client";

import { Check, Hourglass } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "@/components/ui/button";

const INTERVAL_MS = 2_000;
/** 15 minutes; then it stops polling. */
const MAXIMUM_LOOKS = 450;

/** Polls for a new key's first request. */
export function FirstRequest({ keyId }: { keyId: string }) {
  const { hasCome, hasStopped, lookAgain } = useFirstUse(keyId);
  return (
    <div role="status">
      {hasCome ? (
        <p className="first">
          <Check className="ic" />
          First request received. The key works.
        </p>
      ) : (
        <p className="first ink2">
          <Hourglass className="ic" />
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
  const [hasCome, setHasCome] = useState(false);
  const [looks, setLooks] = useState(0);
  const hasStopped = looks >= MAXIMUM_LOOKS;

  useEffect(() => {
    if (hasCome || hasStopped) return;
    const stop = new AbortController();
    let isAsking = false;
    const look = async () => {
      if (isAsking || document.hidden) return;
      isAsking = true;
      const isUsed = await wasUsed(keyId, stop.signal);
      isAsking = false;
      if (stop.signal.aborted) return;
      setLooks((before) => before + 1);
      if (isUsed) setHasCome(true);
    };
    const timer = setInterval(look, INTERVAL_MS);
    document.addEventListener("visibilitychange", look, { signal: stop.signal });
    return () => {
      clearInterval(timer);
      stop.abort();
    };
  }, [keyId, hasCome, hasStopped]);

  return { hasCome, hasStopped, lookAgain: () => setLooks(0) };
}

/** False also without a usable answer: the next turn polls again. */
async function wasUsed(keyId: string, signal: AbortSignal): Promise<boolean> {
  try {
    const response = await fetch(`/settings/api-keys/${keyId}/first-use`, { signal, cache: "no-store" });
    if (!response.ok) return false;
    const body: unknown = await response.json();
    return typeof body === "object" && body !== null && "isUsed" in body && body.isUsed === true;
  } catch {
    return false;
  }
}
