import type { ReactNode } from "react";
import { Section } from "@/components/layout/section";
import { Table } from "@/components/layout/table";
import { Amount } from "@/components/money/amount";
import { endsOf } from "@/components/parts/approvals/proposal-words";
import { Flow, type SluiceState } from "@/components/sluice/row-sluice";
import { SUBLINE } from "@/components/ui/text-styles";
import type { ReviewStep } from "@/lib/views/approvals/read-review-steps";

interface ReviewedTableProps<Step extends ReviewStep> {
  id: string;
  title: string;
  steps: readonly Step[];
  state: SluiceState;
  /** Its sum, under the amounts. */
  sum?: { label: string; cents: number };
  /** Below the reason of each. */
  below?: (step: Step) => ReactNode;
}

/** Proposals of a review that share a mark or an outcome; nothing without any. */
export function ReviewedTable<Step extends ReviewStep>({
  id,
  title,
  steps,
  state,
  sum,
  below,
}: ReviewedTableProps<Step>) {
  if (steps.length === 0) return null;
  return (
    <Section id={id} title={title} fact={steps.length === 1 ? "1 proposal" : `${steps.length} proposals`}>
      <Table
        caption={title}
        rows={steps}
        areHeadsHidden
        columns={[
          {
            head: "Proposal",
            header: true,
            cell: (step) => (
              <>
                <Flow {...endsOf(step.subject)} state={state} layout="wrapping" />
                <span className={`${SUBLINE} line-clamp-2 wrap-anywhere`}>
                  {step.reason ?? "Without a reason"}
                </span>
                {below?.(step)}
              </>
            ),
            foot: sum?.label,
          },
          {
            head: "Amount",
            kind: "MONEY",
            cell: ({ subject }) => subject.amountInCents,
            foot: sum ? <Amount cents={sum.cents} /> : undefined,
          },
        ]}
      />
    </Section>
  );
}
