import type { ApprovalStatus } from "@/lib/contract/views/approval-view";

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
};

/** How a proposal is drawn. */
export function sluiceState(status: ApprovalStatus): SluiceState {
  return STATE_OF_STATUS[status];
}

const LEAF_IS_UP: ReadonlySet<SluiceState> = new Set(["open", "through"]);
const HAS_WATER: ReadonlySet<SluiceState> = new Set(["closed", "queued", "open", "through"]);

/** The sluice between two names, 48 × 16. The status beside it says the same in text. */
export function RowSluice({ state }: { state: SluiceState }) {
  const isUp = LEAF_IS_UP.has(state);
  return (
    <svg className={`sl sl-${state}`} viewBox="0 0 48 16" width="48" height="16" aria-hidden="true">
      {HAS_WATER.has(state) ? <path className="w" d="M1 8.5H21V13H1z" /> : null}
      {isUp ? <path className="w" d="M21 8.5H47V13H21z" /> : null}
      <rect className="g" x="22" y={isUp ? 1 : 6} width="4" height="7" />
      <path className="b" d="M0 13.5H48M0 7.5H20M28 7.5H48" />
      <path className="p" d="M21 2v11.5M27 2v11.5" />
    </svg>
  );
}

interface FlowProps {
  from: string;
  to: string;
  state: SluiceState;
}

/** "Operating to Taxes", with a sluice drawn for "to". */
export function Flow({ from, to, state }: FlowProps) {
  return (
    <span className="flow">
      <span>{from}</span>
      <RowSluice state={state} />
      <span className="vh">to</span>
      <span>{to}</span>
    </span>
  );
}
