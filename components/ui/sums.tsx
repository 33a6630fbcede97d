import type { ReactNode } from "react";

const COLUMNS = { 4: "grid-cols-4", 5: "grid-cols-5" };

/** What a page comes to, ruled like the last line of a ledger. */
export function Sums({ columns, children }: { columns: 4 | 5; children: ReactNode }) {
  return (
    <dl
      className={`grid ${COLUMNS[columns]} mt-4 border-t border-b-3 [border-bottom-style:double] border-ink-3 max-sm:grid-cols-2`}
    >
      {children}
    </dl>
  );
}

export function Sum({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="min-w-0 py-3.5 pr-3">
      <dt className="text-[13px] text-ink-3">{label}</dt>
      <dd className="text-[17px]/6.5">{children}</dd>
    </div>
  );
}
