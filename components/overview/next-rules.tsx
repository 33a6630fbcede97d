import { formatClock, formatMoment, formatShortDay } from "@/components/time/format-instant";
import { Empty } from "@/components/ui/empty";
import { Link } from "@/components/ui/link";
import { formatCents } from "@/lib/contract/format-cents";
import type { NextRuleView } from "@/lib/contract/views/overview-view";
import type { TimeContext } from "@/lib/contract/views/time-context";

/** The rules that run next, with what they would do as things stand. */
export function NextRules({ rules, time }: { rules: NextRuleView[]; time: TimeContext }) {
  return (
    <section aria-labelledby="next">
      <div className="sec-h">
        <h2 className="h2" id="next">
          Rules about to run
        </h2>
        <Link className="link" href="/rules">
          All rules
        </Link>
      </div>
      {rules.length === 0 ? (
        <Empty title="No rule is about to run">
          A rule moves money on its own, by a schedule or with each deposit, within limits that you set.{" "}
          <Link className="link" href="/rules/new">
            Start from a template
          </Link>
        </Empty>
      ) : (
        <ol className="next">
          {rules.map((rule) => (
            <li key={rule.id}>
              <p className="next-w">
                <When rule={rule} time={time} />
              </p>
              <div>
                <Link href={rule.href}>
                  <b>{rule.name}</b>
                </Link>
                <p className="meta">{forecastWords(rule)}</p>
              </div>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

function When({ rule: { at }, time }: { rule: NextRuleView; time: TimeContext }) {
  if (at === null) {
    return (
      <>
        Next <b>deposit</b>
      </>
    );
  }
  const isToday = formatMoment(at, time).startsWith("Today");
  return (
    <time dateTime={at}>
      {isToday ? "Today" : formatShortDay(at, time)} <b>{formatClock(at, time)}</b>
    </time>
  );
}

/** `$620.00 from Operating to Owner’s pay` */
function forecastWords({ forecast, hasNewVersion }: NextRuleView): string {
  if (hasNewVersion && forecast.kind === "LINE") return "A new version waits to be activated";
  switch (forecast.kind) {
    case "NOTHING":
      return "Nothing to move as things stand";
    case "LINE":
      return forecast.line ?? "Open it to see what it does";
    case "MOVES":
      return `${formatCents(forecast.amountInCents)} from ${forecast.fromName} to ${forecast.toName ?? `${forecast.toCount} accounts`}`;
  }
}
