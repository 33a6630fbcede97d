import type { ReviewStep } from "@/lib/views/approvals/read-review-steps";

interface ReviewHeadProps {
  /** `7 of 12` */
  place: string;
  /** `4 to approve, 1 to deny` */
  marks: string;
  steps: readonly ReviewStep[];
  /** The one on the page. */
  currentId: string | null;
  /** Those that dropped out although they still wait. */
  droppedIds?: ReadonlySet<string>;
}

/** Where the review is, with a mark for each proposal; the words beside it say the same. */
export function ReviewHead({ place, marks, steps, currentId, droppedIds = new Set() }: ReviewHeadProps) {
  return (
    <div className="sticky top-0 z-4 -mt-12 mb-9 grid gap-2.5 border-b border-rule bg-paper pt-4.5 pb-4 sm:max-lg:-mt-10 max-sm:mt-0 max-sm:mb-5 max-sm:gap-2 max-sm:py-3 print:static">
      <p className="flex items-baseline gap-x-4 text-[13px] text-ink-3 max-sm:flex-wrap max-sm:justify-between">
        <b className="text-[17px]/6 whitespace-nowrap text-ink">{place}</b>
        <span>{marks}</span>
      </p>
      <ol className="flex h-3.5 items-end gap-1.5 max-sm:gap-0.75" aria-hidden="true">
        {steps.map((step) => (
          <li
            key={step.id}
            className={`flex-1 ${step.id === currentId ? HERE : strokeOf(step, droppedIds.has(step.id))}`}
          />
        ))}
      </ol>
    </div>
  );
}

const HERE = "h-3.5 border-b-2 border-l-5 border-b-rule-strong border-l-teal";
const DROPPED = "h-3 border border-dashed border-edge";
const STROKES: Record<NonNullable<ReviewStep["mark"]>, string> = {
  APPROVE: "h-3 bg-water",
  DENY: "h-1.75 bg-red",
  SKIPPED: "h-px border-t-[1.5px] border-dashed border-ink-3",
};

function strokeOf({ mark, isOver }: ReviewStep, isDropped: boolean): string {
  if (isOver || isDropped) return DROPPED;
  return mark === null ? "h-1.5 bg-rule" : STROKES[mark];
}
