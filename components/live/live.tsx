"use client";

import { QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query";
import { usePathname, useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { askLive, ShownElsewhere, SignedOut } from "@/components/live/ask-live";
import { setLiveCount, showBadge } from "@/components/live/live-count";

import { ElsewhereBand } from "@/components/shell/elsewhere";
import type { LiveView } from "@/lib/contract/views/shell-view";

/** Pages that refresh themselves, and what each shows. */
const WATCHED: readonly { path: RegExp; stamps: readonly Stamp[] }[] = [
  { path: /^\/$/, stamps: ["waiting", "money"] },
  { path: /^\/approvals$/, stamps: ["waiting"] },
  { path: /^\/transfers(\/(cards|outside|[0-9a-f-]{36}))?$/, stamps: ["money"] },
  { path: /^\/accounts(\/[0-9a-f-]{36})?$/, stamps: ["waiting", "money"] },
  { path: /^\/rules\/[0-9a-f-]{36}\/runs(\/[0-9a-f-]{36})?$/, stamps: ["waiting", "money"] },
  { path: /^\/settings\/webhooks(\/[0-9a-f-]{36})?$/, stamps: ["webhooks"] },
];

export type LiveProps = LiveView;

const INTERVAL_MS = 5_000;
const MAXIMUM_INTERVAL_MS = 120_000;
const KEY = ["live"];

/**
 * Keeps the count of waiting proposals current, refreshes pages whose data changed, and reports a switch of
 * organization in another tab. Polls while the tab is visible, more slowly after failures.
 */
export function Live(props: LiveProps) {
  const [client] = useState(() => new QueryClient());
  return (
    <QueryClientProvider client={client}>
      <Poll client={client} shown={props} />
    </QueryClientProvider>
  );
}

function Poll({ client, shown }: { client: QueryClient; shown: LiveView }) {
  const router = useRouter();
  const path = usePathname();
  const failures = useRef(0);
  const { data, dataUpdatedAt, error } = useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) => {
      failures.current += 1;
      const view = await askLive(signal);
      failures.current = 0;
      return view;
    },
    initialData: shown,
    // The page may be seconds old: poll at once.
    initialDataUpdatedAt: 0,
    staleTime: INTERVAL_MS,
    retry: false,
    refetchOnWindowFocus: "always",
    refetchInterval: ({ state }) => intervalAfter(state.error, failures.current),
  });

  // The same object until the server renders the page again.
  const rendered = useRef(shown.stamps);
  useEffect(() => {
    // The page was refreshed since, so the last answer is older.
    if (rendered.current !== shown.stamps) {
      rendered.current = shown.stamps;
      client.setQueryData(KEY, shown);
      return;
    }
    setLiveCount(data.waitingCount);
    // Also for an unchanged answer: the reader may have been typing until now.
    const isAnswered = dataUpdatedAt > 0;
    if (isAnswered && isOutOfDate(path, shown.stamps, data.stamps) && !isSomebodyAtWork()) router.refresh();
  }, [client, router, path, shown, data, dataUpdatedAt]);

  useEffect(() => {
    if (error instanceof SignedOut) showBadge(0);
  }, [error]);
  return error instanceof ShownElsewhere ? <ElsewhereBand view={error.view} /> : null;
}

/** Doubles after each failure; stops once signed out. */
function intervalAfter(error: Error | null, failures: number): number | false {
  if (error instanceof SignedOut) return false;
  if (!error) return INTERVAL_MS;
  return Math.min(MAXIMUM_INTERVAL_MS, INTERVAL_MS * 2 ** Math.min(5, failures));
}

/** The reader is typing or answering a dialog: refresh later. */
function isSomebodyAtWork(): boolean {
  return (
    document.querySelector("dialog[open]") !== null ||
    document.activeElement?.closest("#main :is(input, textarea, select, [contenteditable])") != null
  );
}

type Stamp = keyof LiveView["stamps"];

export function isOutOfDate(path: string, shown: LiveView["stamps"], now: LiveView["stamps"]): boolean {
  const stamps = WATCHED.find((watched) => watched.path.test(path))?.stamps ?? [];
  return stamps.some((stamp) => shown[stamp] !== now[stamp]);
}
