import { cva } from "class-variance-authority";
import { type PlusSign, splitCents } from "@/lib/contract/format-cents";

const amountClass = cva("whitespace-nowrap", {
  variants: {
    size: {
      text: "",
      xl: "font-display text-xl font-normal tracking-[-0.012em]",
      "3xl": "font-figures text-3xl font-[350] tracking-[-0.025em]",
      "4xl": "font-figures text-4xl font-[330] tracking-[-0.034em] max-sm:text-[64px]/17",
    },
    tone: { plain: "", quiet: "text-ink-2", in: "text-green" },
  },
  compoundVariants: [
    { size: "text", tone: ["plain", "in"], className: "font-medium" },
    { size: "text", tone: "quiet", className: "font-normal" },
  ],
});

const centsClass = cva("font-normal", {
  variants: {
    isLarge: { true: "text-[0.56em] tracking-[-0.01em]", false: "text-[0.9em]" },
    isIn: { true: "text-green", false: "text-ink-3" },
  },
});

interface AmountProps {
  /** Null is unknown and shows an en dash, never zero. */
  cents: number | null;
  plus?: PlusSign;
  /** `xl` in lists, `3xl` for a page's total, `4xl` for the question, once per page. */
  size?: "xl" | "3xl" | "4xl";
  /** For secondary amounts, e.g. balances before a change. */
  quiet?: boolean;
  /** Money that came in: green. */
  isIn?: boolean;
}

/** An amount of money with subdued cents. */
export function Amount({ cents, plus, size, quiet = false, isIn = false }: AmountProps) {
  if (cents === null) return <NoAmount />;
  const parts = splitCents(cents, plus);
  const tone = isIn ? "in" : quiet ? "quiet" : "plain";
  return (
    <span className={amountClass({ size: size ?? "text", tone })} data-amount>
      {parts.sign}
      {parts.dollars}
      <span data-cents className={centsClass({ isLarge: size !== undefined, isIn })}>
        {parts.cents}
      </span>
      {parts.after}
    </span>
  );
}

/** The en dash of a cell without a value. */
function NoAmount() {
  return (
    <span className="text-ink-3">
      <span aria-hidden="true">–</span>
      <span className="sr-only">unknown</span>
    </span>
  );
}
