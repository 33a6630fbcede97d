import {
  ArrowDownToLine,
  CalendarClock,
  CreditCard,
  KeyRound,
  Landmark,
  Plug,
  User,
  Waypoints,
} from "lucide-react";
import type { ReactNode } from "react";
import { formatAfterWord } from "@/components/time/format-instant";
import { Link } from "@/components/ui/link";
import { KEY_NAME, LINK, SUBLINE } from "@/components/ui/text-styles";
import { formatCents } from "@/lib/contract/format-cents";
import type { TimeContext } from "@/lib/contract/time-context";
import type { RunView } from "@/lib/views/rules/read-run";
import type { RunReference, RunStarterView } from "@/lib/views/rules/read-run-starter";
import { capitalized } from "@/lib/words/rules/phrases";

/** What triggered a run, the previous run of its chain, and the runs that it triggered. */
export function RunStartedBy({ run }: { run: RunView }) {
  const { startedBy, setOff, reasonForApproval, time } = run;
  const { icon, title, detail } = describe(startedBy, time);
  return (
    <section aria-labelledby="started-by">
      <h2 className="text-base font-semibold" id="started-by">
        Started by
      </h2>
      <p className="grid grid-cols-[40px_1fr] items-center gap-3">
        <span className="grid place-items-center size-10 border border-rule-strong rounded-md text-ink-2">
          {icon}
        </span>
        <span>
          <b>{title}</b>
          {detail ? <span className={SUBLINE}>{detail}</span> : null}
        </span>
      </p>
      {startedBy.kind === "TRANSFER" && startedBy.setOffBy ? (
        <p className="text-sm text-ink-3 mt-3">
          Triggered by the run of <RunLink run={startedBy.setOffBy} />
          {run.chainDepth > 1 ? `, number ${run.chainDepth + 1} of its chain` : null}.
        </p>
      ) : null}
      {reasonForApproval ? <p className="text-sm text-ink-3 mt-3">“{reasonForApproval}”</p> : null}
      {setOff.length > 0 ? (
        <p className="text-sm text-ink-3 mt-3">
          Its money triggered{" "}
          {setOff.map((further, index) => (
            <span key={further.href}>
              {index > 0 ? ", " : null}
              <RunLink run={further} />
            </span>
          ))}
          .
        </p>
      ) : null}
    </section>
  );
}

function RunLink({ run: { ruleName, href } }: { run: RunReference }) {
  return href ? (
    <Link className={LINK} href={href}>
      {ruleName}
    </Link>
  ) : (
    ruleName
  );
}

interface Description {
  icon: ReactNode;
  title: ReactNode;
  detail: string | null;
}

function describe(starter: RunStarterView, time: TimeContext): Description {
  const at = (instant: string) => formatAfterWord(instant, time);
  switch (starter.kind) {
    case "TRANSFER":
      return {
        icon: <ArrowDownToLine />,
        title: transferTitle(starter),
        detail: capitalized(
          [
            ...(starter.sentAt === starter.settledAt ? [] : [`sent ${at(starter.sentAt)}`]),
            ...(starter.settledAt ? [`settled ${at(starter.settledAt)}`] : []),
            ...(starter.wasReturned ? ["returned by the bank since"] : []),
          ].join(", "),
        ),
      };
    case "CARD_TRANSACTION":
      return {
        icon: <CreditCard />,
        title: `A payout from ${starter.description}`,
        detail: capitalized(
          [...(starter.cardName ? [`to ${starter.cardName}`] : []), at(starter.at)].join(", "),
        ),
      };
    case "EXTERNAL_TRANSACTION":
      return {
        icon: <Landmark />,
        title: `${formatCents(starter.amountInCents)} from ${starter.description}`,
        detail: `Found on a connected account, dated ${at(starter.at)}`,
      };
    case "SCHEDULE":
      return {
        icon: <CalendarClock />,
        title: "Schedule",
        detail: starter.scheduledFor ? `For ${at(starter.scheduledFor)}` : null,
      };
    case "API_KEY":
      return {
        icon: <KeyRound />,
        title: keyTitle(starter),
        detail: "API key",
      };
    case "ASSISTANT":
      return {
        icon: <Plug />,
        title: (
          <Link className={LINK} href={starter.href}>
            {starter.name ?? "An assistant"}
          </Link>
        ),
        detail: starter.memberName === null ? "Assistant" : `Assistant, connected by ${starter.memberName}`,
      };
    case "MEMBER":
      return { icon: <User />, title: starter.name ?? "A member", detail: "Manual run" };
    case "HOOK":
      return {
        icon: <Plug />,
        title: starter.name ?? "Rule webhook",
        detail: "Called by a program",
      };
    case "UNKNOWN":
      return {
        icon: <Waypoints />,
        title: "Unknown",
        detail: "Its trigger was not stored",
      };
  }
}

function transferTitle(starter: Extract<RunStarterView, { kind: "TRANSFER" }>): string {
  const from = starter.fromName ? ` from ${starter.fromName}` : "";
  return starter.isDeposit ? `A deposit${from}` : `A transfer${from}`;
}

function keyTitle({ name, href }: Extract<RunStarterView, { kind: "API_KEY" }>): ReactNode {
  const text = <span className={KEY_NAME}>{name ?? "A key"}</span>;
  return href ? (
    <Link className={LINK} href={href}>
      {text}
    </Link>
  ) : (
    text
  );
}
