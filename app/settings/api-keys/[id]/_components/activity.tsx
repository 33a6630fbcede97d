"use client";

import { Check, TriangleAlert } from "lucide-react";
import { ChartFrame } from "@/components/charts/chart-frame";
import type { ChartSpec } from "@/components/charts/chart-spec";
import { LinkedTable } from "@/components/layout/linked-table";
import { Section } from "@/components/layout/section";
import { Table } from "@/components/layout/table";
import { ApprovalStatusChip } from "@/components/parts/approvals/approval-status";
import { endsOf } from "@/components/parts/approvals/proposal-words";
import { Flow, sluiceState } from "@/components/sluice/row-sluice";
import { formatDate } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { Status } from "@/components/ui/status";
import { MONO, SUBLINE } from "@/components/ui/text-styles";
import type { TimeContext } from "@/lib/contract/time-context";
import type { KeyView } from "@/lib/views/keys/get-key";
import type { KeyActivityView } from "@/lib/views/keys/read-activity";

/** Apart from the view's accounts and rules, which would make the page twice as large. */
type ProposalsOfKey = Pick<KeyView, "key" | "proposals" | "waitingCount" | "viewer" | "time">;

/** Its requests of the last days. */
export function Activity({ activity, time }: { activity: KeyActivityView; time: TimeContext }) {
  return (
    <Section id="activity" title="Activity" fact="Requests in 30 days">
      {activity.totalCount > 0 ? (
        <ChartFrame
          spec={requestsSpec(activity.days, time)}
          label={activityWords(activity)}
          table={{ caption: "Requests by day", rowHead: "Day", rows: "NOT_ZERO" }}
          size="SHORT"
        />
      ) : null}
      <p className="text-sm text-ink-3 mt-2">{activityWords(activity)}</p>
      {activity.lastRequests.length > 0 ? <LastRequests activity={activity} time={time} /> : null}
    </Section>
  );
}

/** `137 requests in 30 days, 2 failed: 2 MAXIMUM_AMOUNT_EXCEEDED.` */
function activityWords({
  totalCount,
  failedCount,
  failures,
  isTruncated,
}: Pick<KeyActivityView, "totalCount" | "failedCount" | "failures" | "isTruncated">): string {
  if (totalCount === 0) return "No requests in 30 days.";
  const number = totalCount.toLocaleString("en-US");
  const requests = totalCount === 1 ? "1 request" : `${number} requests`;
  const when = isTruncated
    ? `More than ${number} requests in 30 days; of the last ${number}`
    : `${requests} in 30 days`;
  if (failedCount === 0) return `${when}, none failed.`;
  const codes = failures.map(({ code, count }) => `${count} ${code}`).join(", ");
  return `${when}, ${failedCount.toLocaleString("en-US")} failed: ${codes}.`;
}

/** Pure. */
function requestsSpec(days: KeyActivityView["days"], time: TimeContext): ChartSpec {
  return {
    unit: "COUNT",
    rows: days.map(({ date, succeeded, failed }, index) => ({
      label: formatDate(date, time),
      tick: index === days.length - 1 ? "Today" : formatDate(date, time),
      values: [succeeded, failed],
    })),
    series: [
      { name: "Answered", shape: "BAR", color: "water", stack: "requests" },
      { name: "Failed", shape: "BAR", color: "red", stack: "requests" },
    ],
  };
}

function LastRequests({ activity, time }: { activity: KeyActivityView; time: TimeContext }) {
  return (
    <Table
      className="mt-5"
      caption="Its latest requests"
      rows={activity.lastRequests}
      columns={[
        {
          head: "When",
          kind: "MOMENT",
          phone: "BELOW",
          className: "text-ink-3",
          cell: ({ at }) => <Moment at={at} time={time} />,
        },
        {
          head: "Request",
          cell: ({ method, path, reason }) => (
            <>
              <span className={`${MONO} wrap-anywhere`}>
                {method} {path.replace("/platform/v1", "")}
              </span>
              {reason ? <span className={SUBLINE}>“{reason}”</span> : null}
            </>
          ),
        },
        {
          head: "Outcome",
          phone: "BELOW",
          belowClass: "",
          cell: ({ errorCode }) => <Outcome errorCode={errorCode} />,
        },
      ]}
    />
  );
}

function Outcome({ errorCode }: { errorCode: string | null }) {
  if (errorCode === null) {
    return (
      <Status tone="mute" icon={<Check />}>
        Answered
      </Status>
    );
  }
  return (
    <Status tone="red" icon={<TriangleAlert />}>
      <span className={`${MONO} wrap-anywhere`}>{errorCode}</span>
    </Status>
  );
}

/** What it proposed last. */
export function KeyProposals({ view }: { view: ProposalsOfKey }) {
  const { key, proposals, waitingCount, viewer, time } = view;
  if (proposals.length === 0) return null;
  return (
    <Section id="proposals" title="Its proposals" fact={factWords(key, waitingCount)}>
      <LinkedTable
        caption="Its latest proposals"
        areHeadsHidden
        rows={proposals}
        link={({ href }) => href}
        columns={[
          {
            head: "When",
            kind: "MOMENT",
            phone: "HIDDEN",
            className: "text-ink-3",
            cell: ({ at }) => <Moment at={at} time={time} />,
          },
          {
            head: "Transfer",
            cell: ({ subject, status }) => (
              <Flow {...endsOf(subject)} state={sluiceState(status)} layout="column" />
            ),
          },
          {
            head: "Status",
            phone: "BELOW",
            belowClass: "",
            cell: ({ status }) => <ApprovalStatusChip status={status} canDecide={viewer.canDecide} />,
          },
          {
            head: "Amount",
            kind: "MONEY",
            cell: ({ subject }) => subject.amountInCents ?? <span className="text-ink-3">–</span>,
          },
        ]}
      />
    </Section>
  );
}

function factWords({ approvedCount, decidedCount }: KeyView["key"], waitingCount: number): string {
  const decided = decidedCount === 0 ? "None decided yet" : `${approvedCount} of ${decidedCount} approved`;
  if (waitingCount === 0) return decided;
  return `${decided}, ${waitingCount} ${waitingCount === 1 ? "waits" : "wait"}`;
}
