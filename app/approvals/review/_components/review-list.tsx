"use client";

import { ArrowRight, Check, CircleDashed, Minus, X } from "lucide-react";
import { Amount } from "@/components/money/amount";
import { endsOf } from "@/components/parts/approvals/proposal-words";
import { Link } from "@/components/ui/link";
import { LINK } from "@/components/ui/text-styles";
import { type QueueSearch, REVIEW_END, reviewHref } from "@/lib/contract/search/queue-search";
import type { ReviewStep } from "@/lib/views/approvals/read-review-steps";

interface ReviewListProps {
  search: QueueSearch;
  steps: readonly ReviewStep[];
  currentId: string;
}

/** Every proposal of the review with its mark; each opens it. */
export function ReviewList({ search, steps, currentId }: ReviewListProps) {
  const approvedInCents = steps.reduce(
    (sum, { mark, isOver, subject }) =>
      mark === "APPROVE" && !isOver ? sum + (subject.amountInCents ?? 0) : sum,
    0,
  );
  return (
    <section aria-labelledby="in-this-review">
      <h2 className="mb-3 text-base font-semibold" id="in-this-review">
        In this review
      </h2>
      <ol className="border-t border-rule-strong">
        {steps.map((step, index) => (
          <li key={step.id} className="border-b border-rule">
            <Link
              className={`relative grid min-h-8.5 grid-cols-[20px_minmax(0,1fr)_auto_18px] items-center gap-2.5 hover:bg-hover max-sm:min-h-11 [&_svg]:size-4 ${lookOf(step, currentId)}`}
              href={reviewHref(search, step.id)}
              isFresh
              aria-current={step.id === currentId ? "step" : undefined}
            >
              <span className="text-[13px]">{index + 1}</span>
              <span className="truncate">{endsOf(step.subject).to}</span>
              <Amount cents={step.subject.amountInCents} quiet={step.id !== currentId} />
              <MarkIcon step={step} isCurrent={step.id === currentId} />
            </Link>
          </li>
        ))}
      </ol>
      <p className="-mt-px flex justify-between border-t border-b-3 [border-bottom-style:double] border-ink-3 py-2.5 pr-7 font-semibold">
        <span>To approve so far</span>
        <Amount cents={approvedInCents} />
      </p>
      <p className="mt-3.5">
        <Link
          className={`${LINK} inline-flex items-center max-sm:min-h-11`}
          href={reviewHref(search, REVIEW_END)}
        >
          Go to the end
        </Link>
      </p>
    </section>
  );
}

function lookOf({ id, mark }: ReviewStep, currentId: string): string {
  if (id !== currentId) return mark === null ? "text-ink-3" : "text-ink-2";
  return "font-semibold text-ink before:absolute before:inset-y-1.25 before:-left-3.5 before:w-1.25 before:bg-teal";
}

function MarkIcon({ step: { mark, isOver }, isCurrent }: { step: ReviewStep; isCurrent: boolean }) {
  if (isOver) return <CircleDashed className="text-ink-3" role="img" aria-label="Dropped out" />;
  if (mark === "APPROVE") return <Check className="text-teal" role="img" aria-label="Approve" />;
  if (mark === "DENY") return <X className="text-red" role="img" aria-label="Deny" />;
  if (isCurrent) return <ArrowRight className="text-teal" aria-hidden="true" />;
  return mark === "SKIPPED" ? <Minus className="text-ink-3" role="img" aria-label="Skipped" /> : null;
}
