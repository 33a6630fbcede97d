"use client";

import { useSyncExternalStore } from "react";
import { useLoaded } from "@/components/ui/use-loaded";

/** On first use, since this is on every page. Not `lazy`, which would show late during a navigation. */
const loadSkeleton = async () => (await import("@/components/shell/skeleton")).Skeleton;

/**
 * Covers the present page from 200 ms after a navigation starts. A direct request gets the real page, never a skeleton.
 */
export function PageSkeleton() {
  const href = useSyncExternalStore(subscribe, readPending, nowhereOnServer);
  const Skeleton = useLoaded(href !== null, loadSkeleton);
  return href !== null && Skeleton ? <Skeleton href={href} /> : null;
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
