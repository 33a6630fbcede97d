"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";

const SOON_MS = 2_000;
const LATER_MS = 15_000;
/** Then less often: a check may take days. */
const SOON_TIMES = 30;

/** Refreshes the page while a check is running and the tab is visible. */
export function RefreshWhile() {
  const router = useRouter();
  useEffect(() => {
    let times = 0;
    let timer: ReturnType<typeof setTimeout>;
    const turn = () => {
      if (!document.hidden) router.refresh();
      times += 1;
      timer = setTimeout(turn, times < SOON_TIMES ? SOON_MS : LATER_MS);
    };
    timer = setTimeout(turn, SOON_MS);
    return () => clearTimeout(timer);
  }, [router]);
  return null;
}
