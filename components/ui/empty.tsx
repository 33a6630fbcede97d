import type { ReactNode } from "react";

export function Empty({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="grid justify-items-center gap-1.5 py-12 px-6 text-center text-ink-2 [&_svg]:mb-3 [&_b]:text-[17px] [&_b]:text-ink">
      <b>{title}</b>
      <p>{children}</p>
    </div>
  );
}
