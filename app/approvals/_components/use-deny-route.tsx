"use client";

import { lazy, Suspense, useEffect, useRef, useState } from "react";
import type { InboxView } from "@/lib/views/approvals/list-proposals";
import type { QueueRoute, QueueSection } from "@/lib/views/approvals/read-queue";

const DenyRouteDialog = lazy(() => import("@/app/approvals/_components/deny-route-dialog"));

interface Denying {
  route: QueueRoute;
  section: QueueSection;
}

interface Denied {
  /** Among all routes. */
  place: number;
  /** What the page showed then. */
  waiting: InboxView["waiting"];
}

/** Routes, or proposals once they are few and in one list. */
const PLACES = "[data-queue] summary, #waiting > li > a";

/**
 * Starts to deny what waits on a route. The dialog lives above the queue: the route, and with the last ones the queue itself, goes
 * with what is denied, and only then does the dialog name what could not be denied.
 */
export function useDenyRoute({ groups, waiting, time }: InboxView) {
  const [denying, setDenying] = useState<Denying | null>(null);
  const denied = useRef<Denied | null>(null);
  useEffect(() => {
    const last = denied.current;
    if (last === null || denying || last.waiting === waiting) return;
    if (document.activeElement !== document.body) return;
    denied.current = null;
    // The button that opened the dialog went with what was denied: go on with what took its place.
    const places = document.querySelectorAll<HTMLElement>(PLACES);
    places[Math.min(last.place, places.length - 1)]?.focus();
  }, [denying, waiting]);

  const onDenied = ({ route: { key } }: Denying) => {
    const routes = groups?.sections.flatMap((section) => section.routes) ?? [];
    const place = routes.findIndex((route) => route.key === key);
    denied.current = { place: Math.max(0, place), waiting };
  };
  return {
    denyRoute: (route: QueueRoute, section: QueueSection) => setDenying({ route, section }),
    dialog: denying ? (
      <Suspense>
        <DenyRouteDialog
          {...denying}
          time={time}
          onDenied={() => onDenied(denying)}
          onClose={() => setDenying(null)}
        />
      </Suspense>
    ) : null,
  };
}
