import { ChevronRight } from "lucide-react";
import { partClass } from "@/components/parts/rules/sentence-class";
import { Link } from "@/components/ui/link";
import type { AskedMandateView } from "@/lib/views/mandates/read-mandate-page";
import type { MandatePart } from "@/lib/words/mandates/mandate-sentence";

const ENVELOPE =
  "max-w-[68ch] font-display text-[24px]/11 font-[380] tracking-[-0.014em] text-ink-2 wrap-anywhere max-sm:text-[21px]/12";

/** The field of the form that holds a part of the sentence. */
const FIELD: Readonly<Record<MandatePart, string>> = {
  AMOUNT: "maximum",
  SOURCES: "source",
  DESTINATIONS: "destination",
  DAY: "day",
  WEEK: "week",
  MONTH: "month",
  THIRTY_DAYS: "thirtyDays",
  TOTAL: "total",
  USES: "maximumUses",
  RECURRENCE: "periodUses",
  DAYS_APART: "daysApart",
  FROM: "from",
  UNTIL: "until",
  BALANCE: "keeps",
};

interface EnvelopeProps {
  view: Pick<AskedMandateView, "sentence">;
  /** Where its limits are changed; null: the viewer may not. */
  editHref: string | null;
}

/** One sentence of limits, each of which Sluice enforces. */
export function Envelope({ view: { sentence }, editHref }: EnvelopeProps) {
  return (
    <p className={ENVELOPE}>
      It{" "}
      {sentence.map(({ text, part }, at) => {
        // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a sentence never reorder.
        if (part === null) return <span key={at}>{text}</span>;
        const look = `${partClass({ control: "button" })} text-[17px]! max-sm:text-[16px]!`;
        return editHref === null ? (
          <span key={part} className={`${look} cursor-default! hover:bg-water-3!`}>
            {text}
          </span>
        ) : (
          <Link key={part} className={look} href={`${editHref}#${FIELD[part]}`}>
            {text}
            <ChevronRight aria-hidden="true" />
          </Link>
        );
      })}
    </p>
  );
}
