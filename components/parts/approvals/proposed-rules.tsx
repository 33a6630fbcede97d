import { ChevronRight } from "lucide-react";
import { RequesterName } from "@/components/parts/approvals/proposal-words";
import { formatInSentence } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { Link } from "@/components/ui/link";
import { LINK, SUBLINE } from "@/components/ui/text-styles";
import type { RequesterView } from "@/lib/contract/approvals/approval";
import type { TimeContext } from "@/lib/contract/time-context";
import type { WaitingMandatesView } from "@/lib/views/mandates/list-waiting-mandates";
import type { WaitingChangesView } from "@/lib/views/policies/read-asked-change";
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

/** `Mandates to sign`, for who may. */
export function waitingMandatesTitle(canDecide: boolean): string {
  return canDecide ? "Mandates to sign" : "Mandates waiting for signatures";
}

/** What keys want to do by themselves, each with who asks; the rest are counted. */
export function WaitingMandates({ mandates, time }: { mandates: WaitingMandatesView; time: TimeContext }) {
  const lines = mandates.listed.map((mandate) => ({
    ...mandate,
    title: `${mandate.key.name}: ${mandate.title}`,
  }));
  return (
    <RuleLines
      lines={lines}
      more={{ count: mandates.count - lines.length, noun: "mandate", href: "/approvals" }}
      time={time}
    />
  );
}

/** `Changes to sign`, for who may. */
export function waitingChangesTitle(canDecide: boolean): string {
  return canDecide ? "Changes to sign" : "Changes waiting for signatures";
}

/** What would let more through, each with who asks; the rest are counted. */
export function WaitingChanges({ changes, time }: { changes: WaitingChangesView; time: TimeContext }) {
  const { listed, count } = changes;
  return (
    <RuleLines
      lines={listed}
      more={{ count: count - listed.length, noun: "change", href: "/approvals" }}
      time={time}
    />
  );
}

/** Versions of rules that no one has activated yet, each with its proposer; the rest are counted. */
export function ProposedRules({ rules, time }: { rules: ProposedRulesView; time: TimeContext }) {
  const lines = rules.listed.map(({ version, ...rule }) => ({
    ...rule,
    title: `${rule.name}, version ${version}`,
  }));
  return (
    <RuleLines
      lines={lines}
      more={{ count: rules.count - lines.length, noun: "rule", href: "/rules" }}
      time={time}
    />
  );
}

/** Rules that programs propose to stop, each with its proposer; the rest are counted. */
export function ProposedStops({ stops, time }: { stops: ProposedStopsView; time: TimeContext }) {
  const lines = stops.listed.map((stop) => ({ ...stop, title: stop.name }));
  return (
    <RuleLines
      lines={lines}
      more={{ count: stops.count - lines.length, noun: "rule", href: "/rules" }}
      time={time}
    />
  );
}

interface RuleLine extends Pick<WaitingVersionView, "href" | "proposedAt"> {
  title: string;
  proposedBy: Pick<RequesterView, "kind" | "name">;
}

function RuleLines({
  lines,
  more,
  time,
}: {
  lines: readonly RuleLine[];
  /** Not listed, and where they are. */
  more: { count: number; noun: string; href: string };
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
      {more.count > 0 ? (
        <p className="mt-2 text-sm">
          <Link className={LINK} href={more.href}>
            {more.count === 1 ? `1 more ${more.noun} waits` : `${more.count} more ${more.noun}s wait`}
          </Link>
        </p>
      ) : null}
    </>
  );
}
