"use client";

import { type ReactNode, useState } from "react";

interface ChangedRowProps {
  /** A changed value highlights the row for two seconds. */
  watched: number | null;
  children: ReactNode;
}

/** A table row that is highlighted when its number changes. */
export function ChangedRow({ watched, children }: ChangedRowProps) {
  const [seen, setSeen] = useState(watched);
  const [isMarked, setIsMarked] = useState(false);
  if (watched !== seen) {
    setSeen(watched);
    setIsMarked(true);
  }
  return (
    <tr className={isMarked ? "[&>*]:animate-changed" : undefined} onAnimationEnd={() => setIsMarked(false)}>
      {children}
    </tr>
  );
}
