import type { ReactNode } from "react";
import { sharedLabel } from "@/app/_components/batch-words";
import { Quote } from "@/components/ui/quote";
import { MONO } from "@/components/ui/text-styles";
import type { BatchApprovalView } from "@/lib/views/approvals/get-batch-approval";

type Lines = BatchApprovalView["lines"];

/** Named once where all lines have the same. */
export function AchLabel({ lines }: { lines: Lines }) {
  const label = sharedLabel(lines);
  if (label === null) return null;
  return (
    <span className="max-sm:hidden!">
      ACH label <span className={MONO}>{label}</span>
    </span>
  );
}

export function BatchReason({ reason, children }: { reason: string | null; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_calc(100%/3)] gap-10 mt-11 pt-7 border-t border-rule-strong print:block max-lg:grid-cols-1 sm:max-lg:gap-7 max-sm:gap-8 max-sm:mt-8 max-sm:pt-6">
      <section aria-labelledby="reason">
        <h2 className="mb-3 text-base font-semibold" id="reason">
          {reason ? "Its reason, word for word" : "Reason"}
        </h2>
        {reason ? <Quote words={reason} size="large" /> : <p className="text-ink-2">None given.</p>}
      </section>
      {children}
    </div>
  );
}
