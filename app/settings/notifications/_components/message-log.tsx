"use client";

import { Check, CircleAlert, Clock } from "lucide-react";
import { PagerLink, PagerRow } from "@/components/layout/pager-link";
import { Section } from "@/components/layout/section";
import { Table } from "@/components/layout/table";
import { formatAfterWord } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { Empty } from "@/components/ui/empty";
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
        <Table
          className="[&_td]:align-top [&_td:last-child]:w-[26%]"
          caption="Messages, newest first"
          rows={view.messages}
          columns={[
            {
              head: "When",
              className:
                "text-sm text-ink-3 w-33 leading-5 whitespace-nowrap max-sm:w-22 max-sm:whitespace-normal",
              cell: ({ createdAt }) => <Moment at={createdAt} time={view.time} />,
            },
            {
              head: "Message",
              takesBelow: "AFTER",
              cell: ({ kind, subject }) => (
                <>
                  {messageLabel(kind)}
                  {subject ? <span className={`${SUBLINE} wrap-anywhere`}>{subject}</span> : null}
                </>
              ),
            },
            {
              head: "To",
              phone: "BELOW",
              belowClass: "max-sm:block max-sm:mt-1.5",
              cell: ({ recipientName, channel, maskedRecipient }) => (
                <>
                  {recipientName}
                  <span className={`${SUBLINE} wrap-anywhere`}>
                    {CHANNEL_WORDS[channel]}, {maskedRecipient}
                  </span>
                </>
              ),
            },
            {
              head: "Outcome",
              phone: "BELOW",
              belowClass: "max-sm:block max-sm:mt-1.5",
              cell: (message) => <MessageStatus message={message} time={view.time} />,
            },
          ]}
        />
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
