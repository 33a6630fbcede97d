import { type PlusSign, splitCents } from "@/lib/contract/format-cents";

interface AmountProps {
  /** Null is unknown and shows an en dash, never zero. */
  cents: number | null;
  plus?: PlusSign;
  /** `xl` in lists, `3xl` for a page's total, `4xl` for the question, once per page. */
  size?: "xl" | "3xl" | "4xl";
  /** For secondary amounts, e.g. balances before a change. */
  quiet?: boolean;
}

/** An amount of money with subdued cents. */
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
      <span className="vh">unknown</span>
    </span>
  );
}
