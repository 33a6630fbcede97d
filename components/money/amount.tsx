import { type PlusSign, splitCents } from "@/lib/contract/format-cents";

interface AmountProps {
  /** Null is "not known" and shows an en dash, never zero. */
  cents: number | null;
  plus?: PlusSign;
  /** `xl` in lists, `3xl` for a page's total, `4xl` for the question, once per page. */
  size?: "xl" | "3xl" | "4xl";
  /** What is not the point of the row: balances before a change. */
  quiet?: boolean;
}

/** An amount of money with its cents set more quietly. */
export function Amount({ cents, plus, size, quiet = false }: AmountProps) {
  if (cents === null) return <NoAmount />;
  const parts = splitCents(cents, plus);
  const classes = ["amt", size && `amt-${size}`, quiet && "amt-q"].filter(Boolean).join(" ");
  return (
    <span className={classes}>
      {parts.sign}
      {parts.dollars}
      <span className="c">{parts.cents}</span>
      {parts.after}
    </span>
  );
}

/** The en dash of a cell without a value. */
function NoAmount() {
  return (
    <span className="dash">
      <span aria-hidden="true">–</span>
      <span className="vh">not known</span>
    </span>
  );
}
