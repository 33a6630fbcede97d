"use client";

import { Check, Hourglass } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "@/components/ui/button";

const INTERVAL_MS = 2_000;
/** A quarter of an hour; then it asks no more until it is told to. */
const MAXIMUM_LOOKS = 450;

/** Waits for the first request of a new key, and turns by itself when it has come. */
export function FirstRequest({ keyId }: { keyId: string }) {
  const { hasCome, hasGivenUp, lookAgain } = useFirstUse(keyId);
  return (
    <div role="status">
      {hasCome ? (
        <p className="first">
          <Check className="ic" />
          Its first request has arrived. The key works.
        </p>
      ) : (
        <p className="first ink2">
          <Hourglass className="ic" />
          {hasGivenUp ? "No request yet." : "Waiting for its first request."}
          {hasGivenUp ? (
            <Button kind="quiet" size="small" onClick={lookAgain}>
              Look again
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
  const hasGivenUp = looks >= MAXIMUM_LOOKS;

  useEffect(() => {
    if (hasCome || hasGivenUp) return;
    const stop = new AbortController();
    let isAsking = false;
    const look = async () => {
      // Nobody sees it while the page is hidden.
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
  }, [keyId, hasCome, hasGivenUp]);

  return { hasCome, hasGivenUp, lookAgain: () => setLooks(0) };
}

/** False also where there was no usable answer: the next turn asks again. */
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
