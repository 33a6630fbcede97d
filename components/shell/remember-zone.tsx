"use client";

import { useEffect } from "react";
import { ZONE_COOKIE, ZONE_COOKIE_MAX_AGE_SECONDS } from "@/lib/contract/reader";

/** Not declared globally, because Node 20 lacks it. */
const { Temporal } = globalThis as { Temporal?: { Now: { timeZoneId: () => string } } };

/** Tells the server this browser's time zone for the next page. */
export function RememberZone() {
  useEffect(() => {
    // The first Intl call loads its date data: about 100 ms on a slow phone, just as the page appears.
    const timeZone = Temporal?.Now.timeZoneId() ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
    const pair = `${ZONE_COOKIE}=${encodeURIComponent(timeZone)}`;
    if (document.cookie.split("; ").includes(pair)) return;
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser that may approve.
    document.cookie = `${pair}; path=/; max-age=${ZONE_COOKIE_MAX_AGE_SECONDS}; samesite=lax`;
  }, []);
  return null;
}
