"use client";

import { useEffect, useState } from "react";

/** The server just rendered the page, so polling can wait until it has loaded. */
const FIRST_POLL_MS = 5_000;

/** True once the page has loaded. */
export function useIsLater(): boolean {
  const [isLater, setIsLater] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsLater(true), FIRST_POLL_MS);
    return () => clearTimeout(timer);
  }, []);
  return isLater;
}
