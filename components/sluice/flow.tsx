import { RowSluice } from "@/components/sluice/row-sluice";
import type { SluiceState } from "@/components/sluice/sluice-state";

interface FlowProps {
  from: string;
  to: string;
  state: SluiceState;
}

/** "Operating to Taxes", with the sluice in the place of "to". */
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
