"use client";

import { type ComponentType, useEffect, useState, useSyncExternalStore } from "react";

type Shape = ComponentType<{ href: string }>;

/**
 * Lies over the page that the reader leaves, 200 ms after they asked for the next one and for as long as that takes.
 * The page below stays what it is: who comes by its address gets its real answer, never a skeleton.
 */
export function PageSkeleton() {
  const href = usePendingPage();
  const Skeleton = useShapes(href !== null);
  return href !== null && Skeleton ? <Skeleton href={href} /> : null;
}

/**
 * Every page carries this file, and shows it for moments: the shapes come when somebody first waits. Where they cannot be
 * loaded the page that is left stays in sight. No `lazy`: its result is shown late while a navigation is under way.
 */
function useShapes(isWanted: boolean): Shape | null {
  const [shape, setShape] = useState<Shape | null>(null);
  useEffect(() => {
    if (!isWanted || shape) return;
    let isStale = false;
    import("@/components/shell/skeletons").then(
      ({ Skeleton }) => {
        if (!isStale) setShape(() => Skeleton);
      },
      () => undefined,
    );
    return () => {
      isStale = true;
    };
  }, [isWanted, shape]);
  return shape;
}

/** Where the reader is on their way to, while the server makes the page; null when nowhere. */
let pendingHref: string | null = null;
const listeners = new Set<() => void>();

export function setPendingPage(href: string | null): void {
  pendingHref = href;
  for (const listener of listeners) listener();
}

/** The page that was asked for and is not here yet. */
function usePendingPage(): string | null {
  return useSyncExternalStore(subscribe, readPending, nowhereOnServer);
}

const readPending = () => pendingHref;
const nowhereOnServer = () => null;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
