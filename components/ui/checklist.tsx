import { Ban, Check, Flag, Minus } from "lucide-react";
import type { ReactNode } from "react";
import type { CheckOutcome } from "@/lib/contract/approvals/approval";

interface ChecklistProps {
  label?: string;
  /** With a line above: below a table. */
  ruled?: boolean;
  children: ReactNode;
}

/** What was looked at before a decision, one fact with its outcome each. */
export function Checklist({ label, ruled = false, children }: ChecklistProps) {
  return (
    <ul className={ruled ? "border-t border-rule" : undefined} aria-label={label}>
      {children}
    </ul>
  );
}

const IN_COLUMN = "max-sm:col-start-2 max-sm:justify-self-start";

interface CheckItemProps {
  icon: ReactNode;
  title?: ReactNode;
  /** The outcome in one word, at the right. */
  result?: string;
  /** Of an outcome that says little. */
  isQuiet?: boolean;
  /** A button at the right. */
  action?: ReactNode;
  /** Below the text. */
  remedy?: ReactNode;
  /** One control instead of words. */
  isControl?: boolean;
  children?: ReactNode;
}

export function CheckItem({
  icon,
  title,
  result,
  isQuiet = false,
  action,
  remedy,
  isControl = false,
  children,
}: CheckItemProps) {
  const columns =
    result || action
      ? "grid-cols-[22px_minmax(0,1fr)_auto] max-sm:grid-cols-[22px_minmax(0,1fr)]"
      : "grid-cols-[22px_minmax(0,1fr)]";
  return (
    <li
      className={`grid items-start gap-3 py-3.25 border-b border-rule last:border-b-0 break-inside-avoid [&>svg]:mt-px ${columns} ${isControl ? "[&_button]:text-left [&_button]:text-ink max-sm:items-center" : ""}`}
    >
      {icon}
      <div className="min-w-0 wrap-anywhere [&_p]:text-[13px]/4.75 [&_p]:text-ink-3">
        {title ? <b className="font-medium">{title}</b> : null}
        {children}
        {remedy ? <div className="mt-2">{remedy}</div> : null}
      </div>
      {result ? (
        <span
          className={`text-[13px] whitespace-nowrap ${IN_COLUMN} ${isQuiet ? "text-ink-3" : "font-medium"}`}
        >
          {result}
        </span>
      ) : null}
      {action ? <div className={`grid mt-2 ${IN_COLUMN}`}>{action}</div> : null}
    </li>
  );
}

interface OutcomeIconProps {
  outcome: CheckOutcome;
  /** What a failed check prevents: `Blocks approval`. */
  blocks: string;
}

/** Unusual facts are flagged in ink, never in amber or red. */
export function OutcomeIcon({ outcome, blocks }: OutcomeIconProps) {
  if (outcome === "CLEAR") return <Check className="text-teal" role="img" aria-label="Clear" />;
  if (outcome === "UNCHECKED") {
    return <Minus className="text-ink-3" role="img" aria-label="Not checked" />;
  }
  if (outcome === "LOOK") return <Flag className="text-ink-2" role="img" aria-label="Review" />;
  return <Ban className="text-ink-2" role="img" aria-label={blocks} />;
}
