import { ApprovalStatusChip } from "@/components/approvals/approval-status";
import { Amount } from "@/components/money/amount";
import { Flow } from "@/components/sluice/flow";
import { sluiceState } from "@/components/sluice/sluice-state";
import { Section } from "@/components/ui/section";
import type { ApprovalView } from "@/lib/contract/views/approval-view";

/** The movement that the decision set off, one row each. Runs of rules that follow become further rows. */
export function WhatHappensNext({ view }: { view: ApprovalView }) {
  return (
    <Section
      id="next"
      title="What happens next"
      fact={view.status === "ON_ITS_WAY" ? "Updates by itself" : null}
    >
      <table className="ledger">
        <caption className="vh">Movements</caption>
        <thead>
          <tr>
            <th scope="col">Movement</th>
            <th scope="col" className="hide-s">
              Set off by
            </th>
            <th scope="col">Status</th>
            <th scope="col" className="num">
              Amount
            </th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">
              <Flow from={view.source.name} to={view.destination.name} state={sluiceState(view.status)} />
            </th>
            <td className="hide-s">{setOffBy(view)}</td>
            <td>
              <ApprovalStatusChip status={view.status} canDecide={view.viewer.canDecide} />
            </td>
            <td className="num">
              <Amount cents={view.amountInCents} />
            </td>
          </tr>
        </tbody>
      </table>
    </Section>
  );
}

function setOffBy({ decision, asker }: ApprovalView): string {
  if (!decision) return asker.name;
  return decision.byViewer ? "Your approval" : `${decision.byName}’s approval`;
}
