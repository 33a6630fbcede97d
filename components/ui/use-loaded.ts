"use client";

import { type ComponentType, useEffect, useRef, useState } from "react";

/**
 * Loads a component on demand; if that fails, the page works without it.
 * @param load the same function on every render
 */
export function useLoaded<Props>(
  isWanted: boolean,
  load: () => Promise<ComponentType<Props>>,
  onFailed?: () => void,
): ComponentType<Props> | null {
  const [loaded, setLoaded] = useState<ComponentType<Props> | null>(null);
  const failed = useRef(onFailed);
  failed.current = onFailed;
  useEffect(() => {
    if (!isWanted || loaded) return;
    let isStale = false;
    load().then(
      (component) => {
        if (!isStale) setLoaded(() => component);
      },
      () => failed.current?.(),
    );
    return () => {
      isStale = true;
    };
  }, [isWanted, loaded, load]);
  return loaded;
}
