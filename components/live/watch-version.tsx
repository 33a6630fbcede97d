"use client";

import { useIsLater } from "@/components/live/is-later";
import type { WatchedVersion } from "@/components/live/refresh-when-changed";
import { useLoaded } from "@/components/ui/use-loaded";

const load = () =>
  import("@/components/live/refresh-when-changed").then(({ RefreshWhenChanged }) => RefreshWhenChanged);

/** Polls for a newer version, and refreshes the page. */
export function WatchVersion(watched: WatchedVersion) {
  const RefreshWhenChanged = useLoaded(useIsLater(), load);
  return RefreshWhenChanged ? <RefreshWhenChanged {...watched} /> : null;
}
