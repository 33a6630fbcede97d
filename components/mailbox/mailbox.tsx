import { EmailPane } from "@/components/mailbox/email-pane";
import { SmsPane } from "@/components/mailbox/sms-pane";
import { Moment } from "@/components/time/moment";
import { Empty } from "@/components/ui/empty";
import { Link } from "@/components/ui/link";
import { PageHead } from "@/components/ui/page-head";
import type { MailboxMessageView, MailboxView } from "@/lib/contract/views/mailbox-view";

/** The development mailbox: messages, the open email, and the open SMS on a drawn phone. */
export function Mailbox({ view }: { view: MailboxView }) {
  const email = view.messages.find(({ id, channel }) => channel === "EMAIL" && id === view.selectedEmailId);
  const sms = view.messages.find(({ id, channel }) => channel === "SMS" && id === view.selectedSmsId);
  return (
    <>
      <PageHead
        title="Nothing here was really sent"
        lede="In development, every email and SMS stops in this mailbox."
      />
      {view.messages.length === 0 ? (
        <Empty title="No messages yet">A proposal that waits sends the first ones.</Empty>
      ) : (
        <div className="mbx">
          <MessageList view={view} />
          {email?.channel === "EMAIL" ? <EmailPane email={email} view={view} /> : <div />}
          {sms?.channel === "SMS" ? <SmsPane sms={sms} time={view.time} /> : <div />}
        </div>
      )}
    </>
  );
}

function MessageList({ view }: { view: MailboxView }) {
  return (
    <section aria-labelledby="messages">
      <div className="sec-h">
        <h2 className="h2" id="messages">
          Messages
        </h2>
        <p>{view.messages.length}</p>
      </div>
      <ul className="mbl">
        {view.messages.map((message) => (
          <li key={message.id}>
            <Link
              href={message.href}
              scroll={false}
              aria-current={isOpen(message, view) ? "true" : undefined}
            >
              <span>
                <b>{message.channel === "EMAIL" ? message.subject : "SMS"}</b>
                <span className="meta nowrap">
                  <Moment at={message.sentAt} time={view.time} />
                </span>
              </span>
              <span className="meta">To {message.to.join(", ")}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

function isOpen({ id }: MailboxMessageView, view: MailboxView): boolean {
  return id === view.selectedEmailId || id === view.selectedSmsId;
}
