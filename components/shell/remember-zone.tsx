"use client";

import { useEffect } from "react";
import { ZONE_COOKIE, ZONE_COOKIE_MAX_AGE_SECONDS } from "@/lib/contract/reader";

/** Where there is one; not declared for the whole project, for Node 20 has none. */
const { Temporal } = globalThis as { Temporal?: { Now: { timeZoneId: () => string } } };

/** Tells the server, for the next page, in which zone this browser's clock runs. */
export function RememberZone() {
  useEffect(() => {
    // Asking Intl loads all that it knows of dates: a tenth of a second of a slow phone, just when its page has come.
    const timeZone = Temporal?.Now.timeZoneId() ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
    const pair = `${ZONE_COOKIE}=${encodeURIComponent(timeZone)}`;
    if (document.cookie.split("; ").includes(pair)) return;
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser that may approve.
    document.cookie = `${pair}; path=/; max-age=${ZONE_COOKIE_MAX_AGE_SECONDS}; samesite=lax`;
  }, []);
  return null;
}
