"use client";

import { type ComponentType, useEffect, useState } from "react";
import { usePendingPage } from "@/components/shell/pending-page";

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
