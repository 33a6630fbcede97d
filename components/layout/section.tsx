import type { ReactNode } from "react";
import { SECTION_TITLE } from "@/components/ui/text-styles";

export const SECTION = "section [:where(&)]:mt-12 max-sm:[:where(&)]:mt-10";
const HEAD =
  "section-head flex items-baseline justify-between gap-4 print:break-after-avoid max-sm:flex-wrap [:where(&_a)]:text-[13px] [:where(&_p)]:text-[13px] [:where(&_p)]:text-ink-3";
export const SECTION_HEAD = `${HEAD} pb-3 border-b border-rule-strong`;
/** Of a part of something smaller than a page, such as a drawer. */
export const PART_HEAD = `${HEAD} mt-7 pb-2 border-b border-rule`;
/** Above something with rules of its own. */
export const BARE_HEAD = `${HEAD} pb-4`;

interface SectionProps {
  id: string;
  title: string;
  /** One fact at the right. */
  fact?: ReactNode;
  /** Its margins. */
  className?: string;
  children: ReactNode;
}

export function Section({ id, title, fact, className = "", children }: SectionProps) {
  return (
    <section className={`${SECTION} ${className}`} aria-labelledby={`${id}-title`}>
      <div className={SECTION_HEAD}>
        <h2 className={SECTION_TITLE} id={`${id}-title`}>
          {title}
        </h2>
        {fact ? <p>{fact}</p> : null}
      </div>
      {children}
    </section>
  );
}
