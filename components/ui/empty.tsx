import type { ReactNode } from "react";

/** Nothing here, and what would change that. */
export function Empty({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="empty">
      <b>{title}</b>
      <p>{children}</p>
    </div>
  );
}
