"use client";

import { Check, CircleAlert, Clock } from "lucide-react";
import { PagerLink, PagerRow } from "@/components/layout/pager-link";
import { Section } from "@/components/layout/section";
import { formatAfterWord } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { Empty } from "@/components/ui/empty";
import { Ledger } from "@/components/ui/ledger";
import { Status } from "@/components/ui/status";
import { SUBLINE } from "@/components/ui/text-styles";
import { MESSAGE_RETENTION_DAYS, type MessageChannel, messageLabel } from "@/lib/contract/notifications";
import type { TimeContext } from "@/lib/contract/time-context";
import type { MessageRowView, NotificationsView } from "@/lib/views/notifications/read-notifications";

type LogView = Pick<NotificationsView, "messages" | "showsEverybody" | "olderHref" | "newestHref" | "time">;

/** Recipients and outcomes, never contents. The page is in the URL. */
export function MessageLog({ view }: { view: LogView }) {
  const whose = view.showsEverybody ? "To all members" : "To you";
  return (
    <Section id="log" title="Sent" fact={`${whose}, in the last ${MESSAGE_RETENTION_DAYS} days`}>
      {view.messages.length > 0 ? (
        <Ledger className="[&_td]:align-top [&_td:last-child]:w-[26%]">
          <caption className="sr-only">Messages, newest first</caption>
          <thead>
            <tr>
              <th scope="col">When</th>
              <th scope="col">Message</th>
              <th scope="col" className="max-sm:not-print:hidden!">
                To
              </th>
              <th scope="col" className="max-sm:not-print:hidden!">
                Outcome
              </th>
            </tr>
          </thead>
          <tbody>
            {view.messages.map((message) => (
              <MessageRow key={message.id} message={message} time={view.time} />
            ))}
          </tbody>
        </Ledger>
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
      <span className={`${SUBLINE} wrap-anywhere`}>
        {CHANNEL_WORDS[message.channel]}, {message.maskedRecipient}
      </span>
    </>
  );
  const status = <MessageStatus message={message} time={time} />;
  return (
    <tr>
      <td className="text-sm text-ink-3 w-33 leading-5 whitespace-nowrap max-sm:w-22 max-sm:whitespace-normal">
        <Moment at={message.createdAt} time={time} />
      </td>
      <td>
        {messageLabel(message.kind)}
        {message.subject ? <span className={`${SUBLINE} wrap-anywhere`}>{message.subject}</span> : null}
        <span className="sm:hidden! print:hidden! max-sm:block max-sm:mt-1.5">{to}</span>
        <span className="sm:hidden! print:hidden! max-sm:block max-sm:mt-1.5">{status}</span>
      </td>
      <td className="max-sm:not-print:hidden!">{to}</td>
      <td className="max-sm:not-print:hidden!">{status}</td>
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
        <Status tone="mute" icon={<Check />}>
          Sent
        </Status>
        {tries ? <span className={SUBLINE}>{tries}</span> : null}
      </>
    );
  }
  if (state.kind === "WAITING") {
    return (
      <>
        <Status tone="teal" icon={<Clock />}>
          Waiting
        </Status>
        {problem ? <span className={`${SUBLINE} wrap-anywhere`}>{problem}</span> : null}
        {state.nextAttemptAt ? (
          <span className={SUBLINE}>Next try {formatAfterWord(state.nextAttemptAt, time)}.</span>
        ) : null}
      </>
    );
  }
  return (
    <>
      <Status tone="red" icon={<CircleAlert />}>
        Failed
      </Status>
      {problem ? <span className={`${SUBLINE} wrap-anywhere`}>{problem}</span> : null}
      {tries ? <span className={SUBLINE}>{tries}</span> : null}
    </>
  );
}

function Pager({ view: { olderHref, newestHref } }: { view: LogView }) {
  if (!olderHref && !newestHref) return null;
  return (
    <PagerRow>
      <span />
      <span className="flex gap-2">
        <PagerLink href={newestHref}>Newest</PagerLink>
        <PagerLink href={olderHref}>Older</PagerLink>
      </span>
    </PagerRow>
  );
}
