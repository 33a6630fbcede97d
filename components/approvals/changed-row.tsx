"use client";

import { type ReactNode, useState } from "react";

interface ChangedRowProps {
  /** A new value marks the row for two seconds. */
  watched: number | null;
  children: ReactNode;
}

/** A table row that shows when its number changed under the reader's eyes. */
export function ChangedRow({ watched, children }: ChangedRowProps) {
  const [seen, setSeen] = useState(watched);
  const [isMarked, setIsMarked] = useState(false);
  if (watched !== seen) {
    setSeen(watched);
    setIsMarked(true);
  }
  return (
    <tr className={isMarked ? "is-changed" : undefined} onAnimationEnd={() => setIsMarked(false)}>
      {children}
    </tr>
  );
}
