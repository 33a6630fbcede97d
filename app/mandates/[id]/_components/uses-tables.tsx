import { LinkedTable } from "@/components/layout/linked-table";
import { Section } from "@/components/layout/section";
import { Amount } from "@/components/money/amount";
import { ApprovalStatusChip } from "@/components/parts/approvals/approval-status";
import { Flow, sluiceState } from "@/components/sluice/row-sluice";
import { formatListMoment } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { SUBLINE } from "@/components/ui/text-styles";
import type { UsedMandateView } from "@/lib/views/mandates/read-mandate-page";

/** What moved under it, newest first. */
export function UsesTable({ view }: { view: UsedMandateView }) {
  const { uses, useCount, used, time, viewer } = view;
  return (
    <Section
      id="uses"
      title="Uses"
      fact={used.uses === 1 ? "1 accepted" : `${used.uses.toLocaleString("en-US")} accepted`}
    >
      {uses.length === 0 ? (
        <p className="mt-3.5 text-ink-2">None yet.</p>
      ) : (
        <LinkedTable
          caption="Uses"
          rows={uses}
          link={({ href }) => href}
          columns={[
            {
              head: "When",
              kind: "MOMENT",
              className: "text-ink-3",
              cell: ({ at }) => <Moment at={at} time={time} format={formatListMoment} />,
              foot: <span className="text-sm text-ink-3">Used</span>,
            },
            {
              head: "Movement",
              takesBelow: "AFTER",
              cell: ({ sourceName, destinationName, status }) => (
                <Flow from={sourceName} to={destinationName} state={sluiceState(status)} layout="wrapping" />
              ),
              about: ({ reason }) => (reason === null ? null : <span className={SUBLINE}>{reason}</span>),
              foot: "",
            },
            {
              head: "Status",
              phone: "BELOW",
              cell: ({ status }) => <ApprovalStatusChip status={status} canDecide={viewer.canDecide} />,
              foot: "",
            },
            {
              head: "Amount",
              kind: "MONEY",
              cell: ({ amountInCents }) => amountInCents,
              foot: <Amount cents={used.inCents} />,
            },
          ]}
        />
      )}
      {useCount > uses.length ? (
        <p className="mt-2 text-sm text-ink-3">The latest {uses.length} are listed; all of them count.</p>
      ) : null}
    </Section>
  );
}

/** What was not inside and waited for a person; it does not count here. */
export function WaitedTable({ view }: { view: UsedMandateView }) {
  const { waited, time } = view;
  return (
    <Section
      id="waited"
      title="Waited instead"
      fact={waited.length === 1 ? "1 proposal" : `${waited.length} proposals`}
    >
      <LinkedTable
        caption="Outside the mandate"
        areHeadsHidden
        rows={waited}
        link={({ href }) => href}
        columns={[
          {
            head: "When",
            kind: "MOMENT",
            className: "text-ink-3",
            cell: ({ at }) => <Moment at={at} time={time} format={formatListMoment} />,
          },
          {
            head: "Movement",
            takesBelow: "AFTER",
            cell: ({ sourceName, destinationName, status }) => (
              <Flow from={sourceName} to={destinationName} state={sluiceState(status)} layout="wrapping" />
            ),
            about: ({ because, status }) => (
              <span className={SUBLINE}>
                {because}. {OUTCOME[status] ?? "Not counted here"}
              </span>
            ),
          },
          { head: "Amount", kind: "MONEY", cell: ({ amountInCents }) => amountInCents },
        ]}
      />
    </Section>
  );
}

const OUTCOME: Readonly<Record<string, string>> = {
  WAITING: "Waits for a decision",
  DENIED: "Denied",
  EXPIRED: "Expired",
  WITHDRAWN: "Withdrawn",
  REVOKED: "Ended with its key",
  ON_ITS_WAY: "Approved by a person, not counted here",
  SETTLED: "Approved by a person, not counted here",
};
