"use client";

import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";
import type { Refused } from "@/lib/contract/refused";

type Answer = { kind: "DONE" } | Refused;

const UNKNOWN = "Sluice did not answer, so we do not know whether it was saved. Load this page again to see.";

/** Runs one change of a setting, says why it was refused, and shows the page as it is after it. */
export function useSettingChange() {
  const router = useRouter();
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isBusy, startChange] = useTransition();
  const run = (change: () => Promise<Answer>, onDone: () => void) =>
    startChange(async () => {
      setRefusal(null);
      const answer = await change().catch((): Answer => ({ kind: "REFUSED", message: UNKNOWN }));
      if (answer.kind === "REFUSED") return setRefusal(answer.message);
      onDone();
      router.refresh();
    });
  return { refusal, clearRefusal: () => setRefusal(null), isBusy, run };
}
