import { Check, CircleAlert, Clock } from "lucide-react";
import { MESSAGE_WORDS } from "@/components/notifications/topic-words";
import { formatMoment } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { Empty } from "@/components/ui/empty";
import { PagerLink } from "@/components/ui/pager-link";
import { Section } from "@/components/ui/section";
import { Status } from "@/components/ui/status";
import { MESSAGE_RETENTION_DAYS, type MessageChannel } from "@/lib/contract/notifications";
import type { MessageRowView, NotificationsView } from "@/lib/contract/views/notifications-view";
import type { TimeContext } from "@/lib/contract/views/time-context";

type LogView = Pick<NotificationsView, "messages" | "showsEverybody" | "olderHref" | "newestHref" | "time">;

/** Recipients and outcomes, never contents. The page is in the URL. */
export function MessageLog({ view }: { view: LogView }) {
  const whose = view.showsEverybody ? "To all members" : "To you";
  return (
    <Section id="log" title="Sent" fact={`${whose}, in the last ${MESSAGE_RETENTION_DAYS} days`}>
      {view.messages.length > 0 ? (
        <table className="ledger tight ntf-l">
          <caption className="vh">Messages, newest first</caption>
          <thead>
            <tr>
              <th scope="col">When</th>
              <th scope="col">Message</th>
              <th scope="col" className="hide-s">
                To
              </th>
              <th scope="col" className="hide-s">
                Outcome
              </th>
            </tr>
          </thead>
          <tbody>
            {view.messages.map((message) => (
              <MessageRow key={message.id} message={message} time={view.time} />
            ))}
          </tbody>
        </table>
      ) : (
        <Empty title="No messages">
          {view.newestHref ? "There are no older messages." : "Nothing has been sent yet."}
        </Empty>
      )}
      <Pager view={view} />
    </Section>
  );
}

const CHANNEL_WORDS: Record<MessageChannel, string> = { EMAIL: "Email", SMS: "SMS", PUSH: "Device" };

function MessageRow({ message, time }: { message: MessageRowView; time: TimeContext }) {
  const to = (
    <>
      {message.recipientName}
      <span className="meta blk ntf-a">
        {CHANNEL_WORDS[message.channel]}, {message.maskedRecipient}
      </span>
    </>
  );
  const status = <MessageStatus message={message} time={time} />;
  return (
    <tr>
      <td className="meta ntf-w">
        <Moment at={message.createdAt} time={time} />
      </td>
      <td>
        {MESSAGE_WORDS[message.kind]}
        {message.subject ? <span className="meta blk ntf-a">{message.subject}</span> : null}
        <span className="only-s ntf-to">{to}</span>
        <span className="only-s ntf-to">{status}</span>
      </td>
      <td className="hide-s">{to}</td>
      <td className="hide-s">{status}</td>
    </tr>
  );
}

function MessageStatus({
  message: { state, attempts, problem },
  time,
}: {
  message: MessageRowView;
  time: TimeContext;
}) {
  const tries = attempts > 1 ? `After ${attempts} tries.` : null;
  if (state.kind === "SENT") {
    return (
      <>
        <Status tone="mute" icon={<Check className="ic" />}>
          Sent
        </Status>
        {tries ? <span className="meta blk">{tries}</span> : null}
      </>
    );
  }
  if (state.kind === "WAITING") {
    return (
      <>
        <Status tone="teal" icon={<Clock className="ic" />}>
          Waiting
        </Status>
        {problem ? <span className="meta blk ntf-a">{problem}</span> : null}
        {state.nextAttemptAt ? (
          <span className="meta blk">
            Next try {formatMoment(state.nextAttemptAt, time).replace("Today", "today")}.
          </span>
        ) : null}
      </>
    );
  }
  return (
    <>
      <Status tone="red" icon={<CircleAlert className="ic" />}>
        Failed
      </Status>
      {problem ? <span className="meta blk ntf-a">{problem}</span> : null}
      {tries ? <span className="meta blk">{tries}</span> : null}
    </>
  );
}

function Pager({ view: { olderHref, newestHref } }: { view: LogView }) {
  if (!olderHref && !newestHref) return null;
  return (
    <div className="pager">
      <span />
      <span className="pager-a">
        <PagerLink href={newestHref}>Newest</PagerLink>
        <PagerLink href={olderHref}>Older</PagerLink>
      </span>
    </div>
  );
}
