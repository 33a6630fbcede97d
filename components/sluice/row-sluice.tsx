import { cva, type VariantProps } from "class-variance-authority";
import { GATE_LEAF, IDLE_LEAF, WAITING_LEAF } from "@/components/sluice/ink";
import type { ApprovalStatus } from "@/lib/contract/approvals/approval";

/** The drawing of one movement; `sim` is a dry run: dashes, never water. */
export type SluiceState = "closed" | "queued" | "open" | "through" | "denied" | "expired" | "skipped" | "sim";

const STATE_OF_STATUS: Record<ApprovalStatus, SluiceState> = {
  WAITING: "closed",
  ON_ITS_WAY: "open",
  SETTLED: "through",
  PARTIAL: "through",
  FAILED: "denied",
  RETURNED: "denied",
  DENIED: "denied",
  CANCELLED: "expired",
  EXPIRED: "expired",
  REVOKED: "denied",
  RULE_CHANGED: "expired",
  WITHDRAWN: "expired",
};

/** How a proposal is drawn. */
export function sluiceState(status: ApprovalStatus): SluiceState {
  return STATE_OF_STATUS[status];
}

const LEAF_IS_UP: ReadonlySet<SluiceState> = new Set(["open", "through"]);
const HAS_WATER: ReadonlySet<SluiceState> = new Set(["closed", "queued", "open", "through"]);

const PLAIN = { leaf: GATE_LEAF, bank: "stroke-ink-3", post: "stroke-ink-3" };
const FADED = { leaf: IDLE_LEAF, bank: "stroke-rule-strong", post: "stroke-rule-strong" };
const INK: Record<SluiceState, { leaf: string; bank: string; post: string }> = {
  closed: { leaf: WAITING_LEAF, bank: "stroke-ink-3", post: "stroke-amber" },
  queued: PLAIN,
  open: PLAIN,
  through: PLAIN,
  denied: { ...PLAIN, leaf: "fill-red" },
  expired: FADED,
  skipped: FADED,
  sim: { leaf: IDLE_LEAF, bank: "stroke-ink-3 [stroke-dasharray:2_3]", post: "stroke-rule-strong" },
};

/** The sluice between two names, 48 × 16. The status beside it says the same in text. */
export function RowSluice({ state }: { state: SluiceState }) {
  const isUp = LEAF_IS_UP.has(state);
  const { leaf, bank, post } = INK[state];
  return (
    <svg className="inline-block flex-none" viewBox="0 0 48 16" width="48" height="16" aria-hidden="true">
      {HAS_WATER.has(state) ? <path className="fill-water" d="M1 8.5H21V13H1z" /> : null}
      {isUp ? <path className="fill-water" d="M21 8.5H47V13H21z" /> : null}
      <rect className={leaf} x="22" y={isUp ? 1 : 6} width="4" height="7" />
      <path className={`fill-none ${bank}`} d="M0 13.5H48M0 7.5H20M28 7.5H48" />
      <path className={`fill-none ${post}`} d="M21 2v11.5M27 2v11.5" />
    </svg>
  );
}

const flowClass = cva("items-center", {
  variants: {
    layout: {
      line: "inline-flex gap-2.5 whitespace-nowrap",
      wrapping: "inline-flex min-w-0 flex-wrap gap-x-2.5 gap-y-0.5 whitespace-normal",
      wrappingOnPhones:
        "inline-flex gap-2.5 whitespace-nowrap max-sm:flex max-sm:flex-wrap max-sm:gap-y-0.5 max-sm:whitespace-normal",
      // The sluices of all rows below one another, where there is room.
      column:
        "grid grid-cols-[minmax(var(--flow-from,106px),max-content)_48px_auto] justify-start gap-2.5 whitespace-nowrap max-lg:flex max-lg:flex-wrap max-lg:gap-y-0.5 max-lg:whitespace-normal",
    },
  },
  defaultVariants: { layout: "line" },
});

interface FlowProps extends VariantProps<typeof flowClass> {
  from: string;
  to: string;
  state: SluiceState;
}

/** "Operating to Taxes", with a sluice drawn for "to". */
export function Flow({ from, to, state, layout }: FlowProps) {
  return (
    <span className={flowClass({ layout })}>
      <span>{from}</span>
      <RowSluice state={state} />
      <span className="sr-only">to</span>
      <span>{to}</span>
    </span>
  );
}
