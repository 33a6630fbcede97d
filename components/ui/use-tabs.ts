"use client";

import { type KeyboardEvent, useId, useState } from "react";

/**
 * Tabs by the pattern of the ARIA practices: one is in the order of the tab key, the arrows go to the others and choose
 * them. Remembers nothing.
 */
export function useTabs(count: number) {
  const [chosen, setChosen] = useState(0);
  const id = useId();
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const next = nextTab(event.key, chosen, count);
    if (next === null) return;
    event.preventDefault();
    setChosen(next);
    document.getElementById(`${id}-tab-${next}`)?.focus();
  };
  return {
    chosen,
    tabProps: (index: number) => ({
      type: "button" as const,
      role: "tab" as const,
      id: `${id}-tab-${index}`,
      "aria-selected": index === chosen,
      "aria-controls": `${id}-panel-${index}`,
      tabIndex: index === chosen ? 0 : -1,
      onClick: () => setChosen(index),
      onKeyDown,
    }),
    panelProps: (index: number) => ({
      role: "tabpanel" as const,
      id: `${id}-panel-${index}`,
      "aria-labelledby": `${id}-tab-${index}`,
      hidden: index !== chosen,
    }),
  };
}

function nextTab(key: string, chosen: number, count: number): number | null {
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  const step = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0;
  return step === 0 ? null : (chosen + step + count) % count;
}
