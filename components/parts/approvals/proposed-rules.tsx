import { ChevronRight } from "lucide-react";
import { RequesterName } from "@/components/parts/approvals/proposal-words";
import { formatInSentence } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { Link } from "@/components/ui/link";
import { LINK, SUBLINE } from "@/components/ui/text-styles";
import type { TimeContext } from "@/lib/contract/time-context";
import type { ProposedRulesView } from "@/lib/views/rules/waiting-versions";

/** `Rules to activate`, for who may. */
export function proposedRulesTitle(canDecide: boolean): string {
  return canDecide ? "Rules to activate" : "Rules waiting for activation";
}

/** Versions of rules that no one has activated yet, each with its proposer; the rest are counted. */
export function ProposedRules({ rules, time }: { rules: ProposedRulesView; time: TimeContext }) {
  const moreCount = rules.count - rules.listed.length;
  return (
    <>
      <ul className="list-none">
        {rules.listed.map(({ href, name, version, proposedBy, proposedAt }) => (
          <li key={href} className="border-b border-rule last:border-b-0">
            <Link
              className="group grid min-h-11 grid-cols-[minmax(0,1fr)_auto] items-center gap-4 py-4"
              href={href}
            >
              <span className="min-w-0 wrap-anywhere">
                <span className="font-semibold group-hover:text-teal">
                  {name}, version {version}
                </span>
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
