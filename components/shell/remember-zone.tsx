"use client";

import { useEffect } from "react";
import { ZONE_COOKIE, ZONE_COOKIE_MAX_AGE_SECONDS } from "@/lib/contract/reader";

/** Tells the server, for the next page, in which zone this browser's clock runs. */
export function RememberZone() {
  useEffect(() => {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    const pair = `${ZONE_COOKIE}=${encodeURIComponent(timeZone)}`;
    if (document.cookie.split("; ").includes(pair)) return;
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser that may approve.
    document.cookie = `${pair}; path=/; max-age=${ZONE_COOKIE_MAX_AGE_SECONDS}; samesite=lax`;
  }, []);
  return null;
}
