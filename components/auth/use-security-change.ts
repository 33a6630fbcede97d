"use client";

import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";
import type { SecurityResult } from "@/lib/contract/views/auth-view";

const UNREACHABLE = "Sluice did not answer. Look again before you try once more.";

/** Runs one change to a member's ways to sign in, and keeps what it answered. */
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
      if (result.kind === "CODES") setCodes(result.codes);
      onDone();
      router.refresh();
    });

  return {
    refusal,
    clearRefusal: () => setRefusal(null),
    codes,
    forgetCodes: () => setCodes(null),
    isBusy,
    run,
  };
}
