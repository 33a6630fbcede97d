import { ArrowDownToLine, Clock, CreditCard, Landmark, Undo2, VolumeX, Webhook } from "lucide-react";
import { Fragment, type ReactNode } from "react";
import { actionOutcome, actionTitle } from "@/app/sandbox/_components/action-sentence";
import { ClockForms } from "@/app/sandbox/_components/clock-forms";
import { DayStrip } from "@/app/sandbox/_components/day-strip";
import { Happenings } from "@/app/sandbox/_components/happenings";
import { Receiver } from "@/app/sandbox/_components/receiver";
import { COLUMNS } from "@/components/layout/columns";
import { PageHead } from "@/components/layout/page-head";
import { Section } from "@/components/layout/section";
import { SideColumn } from "@/components/layout/side-column";
import { formatClock, formatWeekdayMoment } from "@/components/time/format-instant";
import { Link } from "@/components/ui/link";
import { Note } from "@/components/ui/note";
import { LINK } from "@/components/ui/text-styles";
import { Timeline } from "@/components/ui/timeline";
import type { SandboxAction } from "@/lib/contract/sandbox";
import type { SandboxRunsView } from "@/lib/views/sandbox/read-actions";
import type { SandboxView } from "@/lib/views/sandbox/read-sandbox-page";

export function SandboxPage({ view }: { view: SandboxView }) {
  const { time } = view;
  return (
    <div>
      <PageHead
        title="You are the bank here"
        lede="The sandbox bank behaves like a real one. No real money moves."
      />
      {view.canDrive ? null : (
        <Note>Only an owner or co-owner can use the sandbox. You can see its activity.</Note>
      )}
      <Section
        id="time"
        title="Business time"
        fact={`Real time is ${formatWeekdayMoment(view.realAt, time)}. They differ after you move the clock.`}
      >
        <p className="mt-4 text-[13px]">
          <b>Now, {formatWeekdayMoment(time.nowAt, time)}</b>
        </p>
        <DayStrip view={view} />
        {view.canDrive ? <ClockForms jumps={view.jumps} dates={datesOf(view)} /> : null}
      </Section>
      <div className={COLUMNS}>
        {view.canDrive ? <Happenings view={view} /> : null}
        <SideColumn sticky={false} contentLayout="[&_ol]:mt-4">
          <SandboxActivity actions={view.actions} time={time} />
        </SideColumn>
      </div>
      {view.receiver ? <Receiver receiver={view.receiver} canDrive={view.canDrive} time={time} /> : null}
    </div>
  );
}

/** What members did, newest first, with what came of it. */
export function SandboxActivity({ actions, time }: Pick<SandboxView, "actions" | "time">) {
  return (
    <Section id="done" title="Activity" fact="Newest first">
      {actions.length === 0 ? (
        <p className="text-sm text-ink-3 mt-4">No activity yet. It will appear here.</p>
      ) : (
        <Timeline
          items={actions.map((done) => ({
            key: done.id,
            icon: ACTION_ICON[done.action.kind],
            title: actionTitle(done),
            detail: (
              <>
                {`${formatClock(done.at, time)}, ${done.memberName}. ${actionOutcome(done, time)}`}
                <SetOff setOff={done.setOff} />
              </>
            ),
            state: "done",
          }))}
        />
      )}
    </Section>
  );
}

/** ` Triggered Split client payments.`, with a link to the run. */
function SetOff({ setOff: { runs, count } }: { setOff: SandboxRunsView }) {
  if (count === 0) return null;
  const more = count - runs.length;
  return (
    <>
      {" Triggered "}
      {runs.map(({ href, ruleName }, index) => (
        <Fragment key={href}>
          {index === 0 ? null : index === count - 1 ? " and " : ", "}
          <Link className={LINK} href={href}>
            {ruleName}
          </Link>
        </Fragment>
      ))}
      {more > 0 ? ` and ${more} more ${more === 1 ? "run" : "runs"}` : null}.
    </>
  );
}

const ACTION_ICON: Record<SandboxAction["kind"], ReactNode> = {
  MOVED_CLOCK: <Clock />,
  DEPOSITED: <ArrowDownToLine />,
  SETTLED: <Landmark />,
  SENT_BACK: <Undo2 />,
  SILENCED: <VolumeX />,
  BOOKED_BY_BANK: <Landmark />,
  BOUGHT: <CreditCard />,
  MOVED_OUTSIDE: <Landmark />,
  CONNECTION_CHANGED: <Landmark />,
  PENDING_DECIDED: <Landmark />,
  PAID_TO_CARD: <CreditCard />,
  RECEIVER_SET: <Webhook />,
};

function datesOf({ time, latestAt }: SandboxView) {
  return { min: time.nowAt.slice(0, 10), max: latestAt.slice(0, 10) };
}
