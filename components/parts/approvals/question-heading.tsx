import { Amount } from "@/components/money/amount";

const LINE = "block font-display text-[32px]/10 tracking-[-0.016em] text-balance max-sm:text-[26px]/8.25";

interface QuestionHeadingProps {
  before: string;
  /** Null where it is not known. */
  amountInCents: number | null;
  after: string;
  /** Nobody will answer it any more. */
  isFaded?: boolean;
}

/** A question about an amount; heading and amount read as one sentence. */
export function QuestionHeading({ before, amountInCents, after, isFaded = false }: QuestionHeadingProps) {
  return (
    <h1 className="max-w-full">
      <span className={LINE}>{before}</span>
      {amountInCents === null ? null : (
        <>
          {" "}
          <span className={`block mt-0.5 mb-1 -ml-1 ${isFaded ? "text-ink-3" : ""}`}>
            <Amount cents={amountInCents} size="4xl" />
          </span>{" "}
          <span className={LINE}>{after}</span>
        </>
      )}
    </h1>
  );
}
