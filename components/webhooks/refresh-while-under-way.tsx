"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";

const INTERVAL_MS = 1_500;
/** Longer than an attempt may take and be recorded; then the page stays as it is. */
const MAXIMUM_TURNS = 20;

/** Loads the page again while somebody looks, until what is under way is recorded and this is no longer rendered. */
export function RefreshWhileUnderWay() {
  const router = useRouter();
  useEffect(() => {
    let turns = 0;
    const timer = setInterval(() => {
      if (document.hidden) return;
      turns += 1;
      if (turns >= MAXIMUM_TURNS) clearInterval(timer);
      router.refresh();
    }, INTERVAL_MS);
    return () => clearInterval(timer);
  }, [router]);
  return null;
}
