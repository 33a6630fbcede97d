"use client";

import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";
import type { NotificationResult } from "@/lib/contract/views/notifications-view";

const UNREACHABLE = "Sluice did not answer. Look again before you try once more.";

/** Runs one change of a member's number, and keeps why it was refused. */
export function usePhoneChange() {
  const router = useRouter();
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isBusy, startChange] = useTransition();

  const run = (change: () => Promise<NotificationResult>, onDone: () => void) =>
    startChange(async () => {
      setRefusal(null);
      const result = await change().catch(
        (): NotificationResult => ({ kind: "REFUSED", message: UNREACHABLE }),
      );
      if (result.kind === "REFUSED") return setRefusal(result.message);
      onDone();
      router.refresh();
    });

  return { refusal, clearRefusal: () => setRefusal(null), isBusy, run };
}
