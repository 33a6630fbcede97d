import { ChevronRight } from "lucide-react";
import { RequesterName } from "@/components/parts/approvals/proposal-words";
import { formatInSentence } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { Link } from "@/components/ui/link";
import { LINK, SUBLINE } from "@/components/ui/text-styles";
import type { TimeContext } from "@/lib/contract/time-context";
import type { ProposedStopsView } from "@/lib/views/rules/list-proposed-stops";
import type { ProposedRulesView, WaitingVersionView } from "@/lib/views/rules/waiting-versions";

/** `Rules to activate`, for who may. */
export function proposedRulesTitle(canDecide: boolean): string {
  return canDecide ? "Rules to activate" : "Rules waiting for activation";
}

/** `Rules to stop`, for who may. */
export function proposedStopsTitle(canDecide: boolean): string {
  return canDecide ? "Rules to stop" : "Rules that programs want to stop";
}

/** Versions of rules that no one has activated yet, each with its proposer; the rest are counted. */
export function ProposedRules({ rules, time }: { rules: ProposedRulesView; time: TimeContext }) {
  const lines = rules.listed.map(({ version, ...rule }) => ({
    ...rule,
    title: `${rule.name}, version ${version}`,
  }));
  return <RuleLines lines={lines} moreCount={rules.count - lines.length} time={time} />;
}

/** Rules that programs propose to stop, each with its proposer; the rest are counted. */
export function ProposedStops({ stops, time }: { stops: ProposedStopsView; time: TimeContext }) {
  const lines = stops.listed.map((stop) => ({ ...stop, title: stop.name }));
  return <RuleLines lines={lines} moreCount={stops.count - lines.length} time={time} />;
}

interface RuleLine extends Pick<WaitingVersionView, "href" | "proposedBy" | "proposedAt"> {
  title: string;
}

function RuleLines({
  lines,
  moreCount,
  time,
}: {
  lines: readonly RuleLine[];
  moreCount: number;
  time: TimeContext;
}) {
  return (
    <>
      <ul className="list-none">
        {lines.map(({ href, title, proposedBy, proposedAt }) => (
          <li key={href} className="border-b border-rule last:border-b-0">
            <Link
              className="group grid min-h-11 grid-cols-[minmax(0,1fr)_auto] items-center gap-4 py-4"
              href={href}
            >
              <span className="min-w-0 wrap-anywhere">
                <span className="font-semibold group-hover:text-teal">{title}</span>
                <span className={SUBLINE}>
                  Proposed by <RequesterName kind={proposedBy.kind} name={proposedBy.name} />{" "}
                  <Moment at={proposedAt} time={time} format={formatInSentence} />
                </span>
              </span>
              <ChevronRight className="text-ink-3" aria-hidden="true" />
            </Link>
          </li>
        ))}
      </ul>
      {moreCount > 0 ? (
        <p className="mt-2 text-sm">
          <Link className={LINK} href="/rules">
            {moreCount === 1 ? "1 more rule waits" : `${moreCount} more rules wait`}
          </Link>
        </p>
      ) : null}
    </>
  );
}
