"use client";

import { useQueryClient } from "@tanstack/react-query";
import { usePathname, useRouter } from "next/navigation";
import { lazy, Suspense, useEffect, useRef } from "react";
import { askLive, ShownElsewhere, SignedOut } from "@/components/act/ask-live";
import { useIsLater } from "@/components/act/is-later";
import { usePolling } from "@/components/act/polling";
import { showBadge } from "@/components/shell/badge";
import { LIVE_KEY, useLiveCount } from "@/components/shell/waiting-count";
import { OPEN_MODAL, restSingleKeys } from "@/components/ui/single-keys/use-keys";
import type { LiveView } from "@/lib/contract/browser/live";

// Every page includes this and hardly any shows it.
const ElsewhereBand = lazy(() =>
  import("@/components/shell/elsewhere").then((module) => ({ default: module.ElsewhereBand })),
);

/** Pages that refresh themselves, and what each shows. */
const WATCHED: readonly { path: RegExp; stamps: readonly Stamp[] }[] = [
  { path: /^\/$/, stamps: ["waiting", "money"] },
  { path: /^\/approvals$/, stamps: ["waiting"] },
  { path: /^\/rules$/, stamps: ["waiting"] },
  { path: /^\/transfers(\/(cards|outside|[0-9a-f-]{36}))?$/, stamps: ["money"] },
  { path: /^\/accounts(\/[0-9a-f-]{36})?$/, stamps: ["waiting", "money"] },
  { path: /^\/rules\/[0-9a-f-]{36}\/runs(\/[0-9a-f-]{36})?$/, stamps: ["waiting", "money"] },
  { path: /^\/settings\/webhooks(\/[0-9a-f-]{36})?$/, stamps: ["webhooks"] },
];

const INTERVAL_MS = 5_000;

/**
 * Keeps the count of waiting proposals current, refreshes pages whose data changed, and reports a switch of member or
 * organization in another tab. Polls while the tab is visible and on focus, more slowly after failures.
 * @param shown what the server rendered
 */
export function Live({ shown }: { shown: LiveView }) {
  const error = usePoll(shown);
  const count = useLiveCount("waitingCount", shown.waitingCount);
  const badge = error instanceof SignedOut ? 0 : count;
  useEffect(() => showBadge(badge), [badge]);
  useTitleCount(count);
  if (!(error instanceof ShownElsewhere)) return null;
  return (
    <Suspense>
      <ElsewhereBand view={error.view} />
    </Suspense>
  );
}

function usePoll(shown: LiveView): Error | null {
  const router = useRouter();
  const path = usePathname();
  const client = useQueryClient();
  const { data, dataUpdatedAt, error } = usePolling({
    key: LIVE_KEY,
    ask: askLive,
    intervalMs: INTERVAL_MS,
    isOn: useIsLater(),
  });

  // The same object until the server renders the page again.
  const rendered = useRef(shown.stamps);
  useEffect(() => {
    // The page was refreshed since, so the last answer is older.
    if (rendered.current !== shown.stamps) {
      rendered.current = shown.stamps;
      restSingleKeys();
      client.setQueryData(LIVE_KEY, shown);
      return;
    }
    // Also for an unchanged answer: the reader may have been typing until now.
    const isAnswered = dataUpdatedAt > 0;
    if (data && isAnswered && isOutOfDate(path, shown.stamps, data.stamps) && !isSomebodyAtWork())
      router.refresh();
  }, [client, router, path, shown, data, dataUpdatedAt]);
  return error;
}

const COUNTED = /^\(\d+\) /;

/** `(3) Accounts · Sluice`, on every page. */
function useTitleCount(count: number): void {
  useEffect(() => {
    const write = () => {
      const title = document.title.replace(COUNTED, "");
      const counted = count > 0 ? `(${count}) ${title}` : title;
      if (document.title !== counted) document.title = counted;
    };
    write();
    const observer = new MutationObserver(write);
    observer.observe(document.head, { childList: true, subtree: true, characterData: true });
    return () => observer.disconnect();
  }, [count]);
}

/** The reader is typing or answering a dialog: refresh later. */
function isSomebodyAtWork(): boolean {
  return (
    document.querySelector(OPEN_MODAL) !== null ||
    document.activeElement?.closest("#main :is(input, textarea, select, [contenteditable])") != null
  );
}

type Stamp = keyof LiveView["stamps"];

export function isOutOfDate(path: string, shown: LiveView["stamps"], now: LiveView["stamps"]): boolean {
  const stamps = WATCHED.find((watched) => watched.path.test(path))?.stamps ?? [];
  return stamps.some((stamp) => shown[stamp] !== now[stamp]);
}
