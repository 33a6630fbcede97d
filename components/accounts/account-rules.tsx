import { CirclePause } from "lucide-react";
import { Moment } from "@/components/time/moment";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import { Status } from "@/components/ui/status";
import type { AccountRulesView, AccountRuleView } from "@/lib/contract/views/account-rules-view";
import type { TimeContext } from "@/lib/contract/views/time-context";

const PART_WORDS: Record<AccountRuleView["part"], string> = {
  IN: "in",
  OUT: "out",
  IN_AND_OUT: "in and out",
  STARTS: "starts here",
  LOOKED_AT: "looks",
};

/** The rules that take from an account, fill it, or go by what happens on it. Left out when there is none. */
export function AccountRules({ view, time }: { view: AccountRulesView; time: TimeContext }) {
  if (view.rules.length === 0) return null;
  const more = view.count - view.rules.length;
  return (
    <Section id="rules" title="Rules here" fact={String(view.count)}>
      <ul className="rl arl">
        {view.rules.map((rule) => (
          <li key={rule.id}>
            <div>
              <Link href={rule.href}>{rule.name}</Link>
              <p className="meta">{rule.line}</p>
              <State rule={rule} time={time} />
            </div>
            <span className="dim">{PART_WORDS[rule.part]}</span>
          </li>
        ))}
        {more > 0 ? (
          <li className="dim">
            and {more} more on the page of <Link href="/rules">rules</Link>
          </li>
        ) : null}
      </ul>
    </Section>
  );
}

/** Nothing to say of an active rule without a schedule. */
function State({ rule, time }: { rule: AccountRuleView; time: TimeContext }) {
  if (rule.state === "PAUSED") {
    return (
      <Status tone="mute" icon={<CirclePause className="ic" />}>
        Paused
      </Status>
    );
  }
  if (rule.state === "INACTIVE") return <p className="meta">Not active: it moves nothing by itself</p>;
  if (rule.nextRunAt === null) return null;
  return (
    <p className="meta">
      Next: <Moment at={rule.nextRunAt} time={time} />
    </p>
  );
}
