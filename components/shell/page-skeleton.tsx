"use client";

import { type ComponentType, useEffect, useState, useSyncExternalStore } from "react";

type Shape = ComponentType<{ href: string }>;

/**
 * Covers the present page from 200 ms after a navigation starts. A direct request gets the real page, never a skeleton.
 */
export function PageSkeleton() {
  const href = useSyncExternalStore(subscribe, readPending, nowhereOnServer);
  const Skeleton = useShape(href !== null);
  return href !== null && Skeleton ? <Skeleton href={href} /> : null;
}

/**
 * Loaded on first use, because this is on every page; if that fails, the present page stays visible. Not `lazy`, which
 * would show late during a navigation.
 */
function useShape(isWanted: boolean): Shape | null {
  const [shape, setShape] = useState<Shape | null>(null);
  useEffect(() => {
    if (!isWanted || shape) return;
    let isStale = false;
    import("@/components/shell/skeleton").then(
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

/** The target of the present navigation; null: none. */
let pendingHref: string | null = null;
const listeners = new Set<() => void>();

export function setPendingPage(href: string | null): void {
  pendingHref = href;
  for (const listener of listeners) listener();
}

const readPending = () => pendingHref;
const nowhereOnServer = () => null;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
