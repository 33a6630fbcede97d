import type { ReactNode } from "react";

export function Empty({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="empty">
      <b>{title}</b>
      <p>{children}</p>
    </div>
  );
}
