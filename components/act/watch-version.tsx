"use client";

import { useIsLater } from "@/components/act/is-later";
import type { WatchedVersion } from "@/components/act/refresh-when-changed";
import { useLoaded } from "@/components/ui/use-loaded";

const load = () =>
  import("@/components/act/refresh-when-changed").then(({ RefreshWhenChanged }) => RefreshWhenChanged);

/** Polls for a newer version, and refreshes the page. */
export function WatchVersion(watched: WatchedVersion) {
  const RefreshWhenChanged = useLoaded(useIsLater(), load);
  return RefreshWhenChanged ? <RefreshWhenChanged {...watched} /> : null;
}
