import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";

interface DisclosureProps {
  id?: string;
  summary: ReactNode;
  /** At the right of the summary. */
  fact?: ReactNode;
  className?: string;
  children: ReactNode;
}

/** Details that few people need, closed at first. */
export function Disclosure({ id, summary, fact, className = "", children }: DisclosureProps) {
  return (
    <details className={`group/disclosure border-y border-rule ${className}`} id={id}>
      <summary className="flex items-center gap-2.5 min-h-12 cursor-pointer list-none font-medium text-ink-2 [&::-webkit-details-marker]:hidden">
        <ChevronRight
          className="flex-none transition-[rotate] duration-(--dur-2) group-open/disclosure:rotate-90"
          aria-hidden="true"
        />
        {summary}
        {fact ? <span className="ml-auto">{fact}</span> : null}
      </summary>
      {children}
    </details>
  );
}
