import { Amount } from "@/components/money/amount";
import { RunTransferStatus } from "@/components/rules/run-status";
import { Flow } from "@/components/sluice/flow";
import type { SluiceState } from "@/components/sluice/sluice-state";
import { Moment } from "@/components/time/moment";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import type { ExecutionMode, TransferStatus } from "@/lib/contract/transfer";
import type { RunTransferView, RunView } from "@/lib/contract/views/run-view";

/** The transfers that a run made, with where each stands now. */
export function RunTransfers({ run }: { run: RunView }) {
  const { transfers, mode, time } = run;
  if (transfers.length === 0) return null;
  return (
    <Section id="transfers" title="Transfers" fact={settledWords(transfers, mode)}>
      <table className="ledger tight run-t">
        <caption className="vh">Its transfers, in the order in which they were made</caption>
        <thead className="vh">
          <tr>
            <th scope="col">When</th>
            <th scope="col">Transfer</th>
            <th scope="col">Status</th>
            <th scope="col">Amount</th>
          </tr>
        </thead>
        <tbody>
          {transfers.map((transfer) => {
            const flow = (
              <Flow from={transfer.fromName} to={transfer.toName} state={stateOf(transfer.status, mode)} />
            );
            const status = <RunTransferStatus status={transfer.status} mode={mode} />;
            return (
              <tr key={transfer.id}>
                <td className="meta nowrap hide-s">
                  <Moment at={transfer.at} time={time} />
                </td>
                <td>
                  {transfer.href ? <Link href={transfer.href}>{flow}</Link> : flow}
                  {transfer.errorMessage && mode === "LIVE" ? (
                    <span className="meta blk">{transfer.errorMessage}</span>
                  ) : null}
                  <span className="only-s run-ts">{status}</span>
                </td>
                <td className="hide-s">{status}</td>
                <td className="num">
                  <Amount cents={transfer.amountInCents} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </Section>
  );
}

function settledWords(transfers: readonly RunTransferView[], mode: ExecutionMode): string {
  if (mode === "SIMULATION") return "Recorded, never booked";
  const settled = transfers.filter(({ status }) => status === "COMPLETE").length;
  return `${settled} of ${transfers.length} settled`;
}

const SLUICE: Record<TransferStatus, SluiceState> = {
  APPROVAL_PENDING: "closed",
  APPROVAL_DENIED: "denied",
  PROCESSING: "open",
  COMPLETE: "through",
  FAILED: "denied",
  CANCELLED: "expired",
  RETURNED: "denied",
};

function stateOf(status: TransferStatus, mode: ExecutionMode): SluiceState {
  return mode === "SIMULATION" ? "sim" : SLUICE[status];
}
