"use client";

import { useMemo } from "react";
import { useKeys } from "@/components/ui/single-keys/use-keys";

/** `E` toggles the raw request. */
export function SentRequestKey({ detailsId }: { detailsId: string }) {
  const keys = useMemo(() => ({ e: () => toggle(detailsId) }), [detailsId]);
  useKeys(keys);
  return null;
}

function toggle(detailsId: string): void {
  const details = document.getElementById(detailsId);
  if (!(details instanceof HTMLDetailsElement)) return;
  details.open = !details.open;
  if (details.open) details.querySelector("summary")?.focus();
}
