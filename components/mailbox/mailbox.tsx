import { Moment } from "@/components/time/moment";
import { CodeBox } from "@/components/ui/code-box";
import { Empty } from "@/components/ui/empty";
import { Link } from "@/components/ui/link";
import { PageHead } from "@/components/ui/page-head";
import type { MailboxMessageView, MailboxView } from "@/lib/contract/views/notifications-view";
import type { TimeContext } from "@/lib/contract/views/time-context";

const FACES: { face: MailboxView["face"]; label: string }[] = [
  { face: "AS_SENT", label: "As sent" },
  { face: "PLAIN_TEXT", label: "Plain text" },
  { face: "SOURCE", label: "Source" },
];

const ADDRESS = /(https?:\/\/\S+)/;

export function Mailbox({ view }: { view: MailboxView }) {
  const email = view.messages.find(({ id, channel }) => channel === "EMAIL" && id === view.selectedEmailId);
  const sms = view.messages.find(({ id, channel }) => channel === "SMS" && id === view.selectedSmsId);
  return (
    <>
      <PageHead
        title="Nothing here was actually sent"
        lede="In development, every email and SMS stops in this mailbox."
      />
      {view.messages.length === 0 ? (
        <Empty title="No messages yet">The first ones come with a waiting proposal.</Empty>
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

type Sms = Extract<MailboxMessageView, { channel: "SMS" }>;

/** One SMS on a drawn phone. */
function SmsPane({ sms, time }: { sms: Sms; time: TimeContext }) {
  return (
    <section aria-labelledby="sms">
      <div className="sec-h">
        <h2 className="h2" id="sms">
          SMS
        </h2>
        <p>
          <Moment at={sms.sentAt} time={time} />
        </p>
      </div>
      <div className="phone">
        <p className="phone-h">
          <b>Sluice</b>
          <span className="meta blk">To {sms.to.join(", ")}</span>
        </p>
        <p className="bub">
          {sms.text.split(ADDRESS).map((part) =>
            ADDRESS.test(part) ? (
              <a key={part} className="link" href={part}>
                {part}
              </a>
            ) : (
              part
            ),
          )}
        </p>
      </div>
      <dl className="dl mbx-d">
        <dt>Characters</dt>
        <dd>{sms.text.length}</dd>
        <dt>Segments</dt>
        <dd>{sms.segmentCount}</dd>
      </dl>
    </section>
  );
}

type Email = Extract<MailboxMessageView, { channel: "EMAIL" }>;

function EmailPane({ email, view }: { email: Email; view: MailboxView }) {
  return (
    <section aria-labelledby="email">
      <div className="sec-h">
        <h2 className="h2" id="email">
          {email.subject}
        </h2>
      </div>
      <dl className="dl dl-l mbx-h">
        <dt>From</dt>
        <dd>{email.from}</dd>
        <dt>To</dt>
        <dd>{email.to.join(", ")}</dd>
      </dl>
      <nav className="seg mbx-f" aria-label="Face of the email">
        {FACES.map(({ face, label }) => (
          <Link
            key={face}
            href={view.faceHrefs[face]}
            scroll={false}
            aria-current={face === view.face ? "true" : undefined}
          >
            {label}
          </Link>
        ))}
      </nav>
      <EmailFace email={email} face={view.face} />
    </section>
  );
}

function EmailFace({ email, face }: { email: Email; face: MailboxView["face"] }) {
  if (face === "AS_SENT" && email.html !== null) {
    return (
      <div className="paper">
        {/* An email contains a caller's words: the empty sandbox allows no scripts, forms or popups. */}
        <iframe title="The email" sandbox="" srcDoc={email.html} />
      </div>
    );
  }
  const text = face === "SOURCE" ? (email.html ?? email.text) : email.text;
  return <CodeBox label={face === "SOURCE" ? "Source" : "Plain text"}>{text}</CodeBox>;
}
