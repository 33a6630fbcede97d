import { CircleMinus } from "lucide-react";
import { ApprovalStatusChip } from "@/components/approvals/approval-status";
import { Amount } from "@/components/money/amount";
import { Flow } from "@/components/sluice/flow";
import { sluiceState } from "@/components/sluice/sluice-state";
import { Section } from "@/components/ui/section";
import { Status } from "@/components/ui/status";
import type { ApprovalStatus, ApprovalView } from "@/lib/contract/views/approval-view";

/** The movements that the decision set off, one row each. */
export function WhatHappensNext({ view }: { view: ApprovalView }) {
  if (rowsOf(view).length === 0) return null;
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
          {rowsOf(view).map((row) => (
            <tr key={row.key}>
              <th scope="row">
                <Flow from={row.from} to={row.to} state={row.status ? sluiceState(row.status) : "skipped"} />
              </th>
              <td className="hide-s">
                {row.run ? (
                  <a className="link" href={row.run.href}>
                    {row.run.ruleName}
                  </a>
                ) : (
                  setOffBy(view)
                )}
              </td>
              <td>
                {row.status ? (
                  <ApprovalStatusChip status={row.status} canDecide={view.viewer.canDecide} />
                ) : (
                  <Status tone="mute" icon={<CircleMinus className="ic" />}>
                    Skipped
                  </Status>
                )}
              </td>
              <td className="num">
                <Amount cents={row.amountInCents} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}

interface Row {
  key: string;
  from: string;
  to: string;
  amountInCents: number;
  /** Null: skipped, so there is no transfer. */
  status: ApprovalStatus | null;
  /** Of what a rule has moved since; null of what was decided. */
  run: { href: string; ruleName: string } | null;
}

function rowsOf(view: ApprovalView): Row[] {
  const followUps = view.followUps.map(({ sourceName, destinationName, ruleName, runHref, ...row }) => {
    return { ...row, from: sourceName, to: destinationName, run: { href: runHref, ruleName } };
  });
  if (view.kind === "TRANSFER") {
    const { source, destination, amountInCents, status } = view;
    const own = { key: view.id, from: source.name, to: destination.name, amountInCents, status, run: null };
    return [own, ...followUps];
  }
  const moves = view.moves.map(({ key, sourceName, destinationName, amountInCents, status }) => {
    return { key, from: sourceName, to: destinationName, amountInCents, status, run: null };
  });
  return [...moves, ...followUps];
}

function setOffBy({ decision, asker }: ApprovalView): string {
  if (!decision) return asker.name;
  return decision.byViewer ? "Your approval" : `${decision.byName}’s approval`;
}
