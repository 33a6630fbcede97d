"use client";

import { useEffect, useState } from "react";

/** What follows the press of a button that confirms. */
export type Means = "PASSKEY" | "PASSWORD" | "NOTHING";

interface Viewer {
  hasPasskey: boolean;
  /** Until then a recent sign-in confirms, in business time; null: it does not. */
  freshUntil: string | null;
}

/** @param nowAt when the page was rendered, in business time */
export function useMeans({ hasPasskey, freshUntil }: Viewer, nowAt: string): Means {
  const isFresh = useIsBefore(nowAt, freshUntil ?? nowAt);
  if (hasPasskey) return "PASSKEY";
  return isFresh ? "NOTHING" : "PASSWORD";
}

const WITH: Readonly<Record<Means, string>> = {
  PASSKEY: " with passkey",
  PASSWORD: " with password",
  NOTHING: "",
};

/** `Approve with password`: a button says before the press what follows it. */
export function withMeans(verb: string, means: Means): string {
  return `${verb}${WITH[means]}`;
}

/**
 * Whether `endsAt` is still ahead, counted from the server's `nowAt`: the browser's date may be wrong, and business time
 * may be ahead of it.
 */
function useIsBefore(nowAt: string, endsAt: string): boolean {
  const leftAtRender = Date.parse(endsAt) - Date.parse(nowAt);
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    setIsOver(false);
    if (leftAtRender <= 0) return;
    const timer = setTimeout(() => setIsOver(true), leftAtRender);
    return () => clearTimeout(timer);
  }, [leftAtRender]);
  return leftAtRender > 0 && !isOver;
}
