import { Check, TriangleAlert } from "lucide-react";
import { formatDate } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { Section } from "@/components/ui/section";
import { Status } from "@/components/ui/status";
import type { KeyActivityView } from "@/lib/contract/views/keys-view";
import type { TimeContext } from "@/lib/contract/views/time-context";

const WIDTH = 640;
const BASE = 68;
const TALLEST = 58;

export function Activity({ activity, time }: { activity: KeyActivityView; time: TimeContext }) {
  return (
    <Section id="activity" title="Activity" fact="Requests in 30 days">
      {activity.totalCount > 0 ? <DayChart days={activity.days} time={time} /> : null}
      <p className="meta act-w">{activityWords(activity)}</p>
      {activity.lastRequests.length > 0 ? <LastRequests activity={activity} time={time} /> : null}
    </Section>
  );
}

/** `137 requests in 30 days, 2 failed: 2 MAXIMUM_AMOUNT_EXCEEDED.` */
export function activityWords({
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

function DayChart({ days, time }: { days: KeyActivityView["days"]; time: TimeContext }) {
  const most = Math.max(...days.map((day) => day.succeeded + day.failed), 1);
  const step = WIDTH / days.length;
  const height = (count: number) => (count * TALLEST) / most;
  const [first, middle] = [days[0], days[Math.floor(days.length / 2)]];
  return (
    <svg className="chart" viewBox={`0 0 ${WIDTH} 92`} role="img" aria-label="Requests a day over 30 days">
      <path className="zero" d={`M0 ${BASE}.5H${WIDTH}`} />
      {days.map((day, index) => {
        const x = index * step + 3;
        const good = height(day.succeeded);
        const bad = height(day.failed);
        return (
          <g key={day.date}>
            <rect className="ok" x={x} y={BASE - good} width={step - 7} height={good} />
            <rect className="no" x={x} y={BASE - good - bad} width={step - 7} height={bad} />
          </g>
        );
      })}
      <text x="0" y="88">
        {first ? formatDate(first.date, time) : null}
      </text>
      <text x={WIDTH / 2} y="88" textAnchor="middle">
        {middle ? formatDate(middle.date, time) : null}
      </text>
      <text x={WIDTH - 2} y="88" textAnchor="end">
        Today
      </text>
    </svg>
  );
}

function LastRequests({ activity, time }: { activity: KeyActivityView; time: TimeContext }) {
  return (
    <table className="ledger tight reqs">
      <caption className="vh">Its latest requests</caption>
      <thead>
        <tr>
          <th scope="col" className="hide-s">
            When
          </th>
          <th scope="col">Request</th>
          <th scope="col" className="hide-s">
            Outcome
          </th>
        </tr>
      </thead>
      <tbody>
        {activity.lastRequests.map((request) => {
          const outcome = <Outcome errorCode={request.errorCode} />;
          return (
            <tr key={request.id}>
              <td className="dim nowrap hide-s">
                <Moment at={request.at} time={time} />
              </td>
              <td>
                <span className="mono">
                  {request.method} {request.path.replace("/platform/v1", "")}
                </span>
                {request.reason ? <span className="meta blk">“{request.reason}”</span> : null}
                <span className="meta blk only-s">
                  <Moment at={request.at} time={time} />
                </span>
                <span className="only-s">{outcome}</span>
              </td>
              <td className="hide-s">{outcome}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function Outcome({ errorCode }: { errorCode: string | null }) {
  if (errorCode === null) {
    return (
      <Status tone="mute" icon={<Check className="ic" />}>
        Answered
      </Status>
    );
  }
  return (
    <Status tone="red" icon={<TriangleAlert className="ic" />}>
      <span className="mono">{errorCode}</span>
    </Status>
  );
}
