"use client";

import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";
import type { SecurityResult } from "@/lib/contract/views/auth-view";

const UNREACHABLE = "Sluice did not answer. Look again before you try once more.";

/**
 * Runs one change to a member's ways to sign in, and draws the page as it is after it. Recovery codes are shown once, so
 * nothing moves under them: the page is drawn anew when they are put away.
 */
export function useSecurityChange() {
  const router = useRouter();
  const [refusal, setRefusal] = useState<string | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const [isBusy, startChange] = useTransition();

  const run = (change: () => Promise<SecurityResult>, onDone: () => void) =>
    startChange(async () => {
      setRefusal(null);
      const result = await change().catch((): SecurityResult => ({ kind: "REFUSED", message: UNREACHABLE }));
      if (result.kind === "REFUSED") return setRefusal(result.message);
      onDone();
      if (result.kind === "CODES") setCodes(result.codes);
      else router.refresh();
    });

  return {
    refusal,
    clearRefusal: () => setRefusal(null),
    codes,
    forgetCodes: () => {
      setCodes(null);
      router.refresh();
    },
    isBusy,
    run,
  };
}
