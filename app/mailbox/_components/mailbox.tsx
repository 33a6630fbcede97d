import { PageHead } from "@/components/layout/page-head";
import { SECTION_HEAD } from "@/components/layout/section";
import { Moment } from "@/components/time/moment";
import { SEGMENTED } from "@/components/ui/choice-class";
import { CodeBox } from "@/components/ui/code-box";
import { DefinitionList } from "@/components/ui/definition-list";
import { Empty } from "@/components/ui/empty";
import { Link } from "@/components/ui/link";
import { LINK, SECTION_TITLE, SUBLINE } from "@/components/ui/text-styles";
import type { TimeContext } from "@/lib/contract/time-context";
import type { MailboxMessageView, MailboxView } from "@/lib/views/notifications/read-mailbox";

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
        <div className="grid grid-cols-[304px_minmax(0,1fr)_300px] items-start gap-10 max-lg:grid-cols-[240px_minmax(0,1fr)] max-lg:[&>:last-child]:col-2 max-sm:grid-cols-1 max-sm:[&>:last-child]:col-1 [&_.code-box_pre]:whitespace-pre-wrap [&_.code-box_pre]:wrap-anywhere">
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
      <div className={SECTION_HEAD}>
        <h2 className={SECTION_TITLE} id="messages">
          Messages
        </h2>
        <p>{view.messages.length}</p>
      </div>
      <ul className="[&_a]:grid [&_a]:relative [&_a]:gap-0.5 [&_a]:py-3.5 [&_a]:px-0 [&_a]:border-b-0 [&_a>span:first-child]:flex [&_a>span:first-child]:justify-between [&_a>span:first-child]:gap-3 [&_a_b]:font-medium [&_a[aria-current]]:bg-water-3 [&_a[aria-current]]:[box-shadow:-12px_0_0_var(--color-water-3),12px_0_0_var(--color-water-3)] [&_a[aria-current]_b]:font-semibold [&_li+li]:border-t [&_li+li]:border-rule">
        {view.messages.map((message) => (
          <li key={message.id}>
            <Link
              href={message.href}
              scroll={false}
              aria-current={isOpen(message, view) ? "true" : undefined}
            >
              <span>
                <b>{message.channel === "EMAIL" ? message.subject : "SMS"}</b>
                <span className="text-sm text-ink-3 whitespace-nowrap">
                  <Moment at={message.sentAt} time={view.time} />
                </span>
              </span>
              <span className="text-sm text-ink-3">To {message.to.join(", ")}</span>
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
      <div className={SECTION_HEAD}>
        <h2 className={SECTION_TITLE} id="sms">
          SMS
        </h2>
        <p>
          <Moment at={sms.sentAt} time={time} />
        </p>
      </div>
      <div data-phone className="mt-4 px-4 pt-5 pb-7 border border-ink-2 rounded-[28px] bg-surface">
        <p className="text-center">
          <b>Sluice</b>
          <span className={SUBLINE}>To {sms.to.join(", ")}</span>
        </p>
        <p className="[&_a]:wrap-anywhere mt-3.5 py-3 px-3.5 rounded-[14px_14px_14px_4px] bg-sunken leading-5 wrap-anywhere">
          {sms.text.split(ADDRESS).map((part) =>
            ADDRESS.test(part) ? (
              <a key={part} className={LINK} href={part}>
                {part}
              </a>
            ) : (
              part
            ),
          )}
        </p>
      </div>
      <DefinitionList className="mt-5">
        <dt>Characters</dt>
        <dd>{sms.text.length}</dd>
        <dt>Segments</dt>
        <dd>{sms.segmentCount}</dd>
      </DefinitionList>
    </section>
  );
}

type Email = Extract<MailboxMessageView, { channel: "EMAIL" }>;

function EmailPane({ email, view }: { email: Email; view: MailboxView }) {
  return (
    <section aria-labelledby="email">
      <div className={SECTION_HEAD}>
        <h2 className={SECTION_TITLE} id="email">
          {email.subject}
        </h2>
      </div>
      <DefinitionList gap="tight" align="left" className="mt-3 mb-4">
        <dt>From</dt>
        <dd>{email.from}</dd>
        <dt>To</dt>
        <dd>{email.to.join(", ")}</dd>
      </DefinitionList>
      <nav className={`${SEGMENTED} mb-3`} aria-label="Face of the email">
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
      <div className="border border-rule-strong bg-surface [&_iframe]:block [&_iframe]:w-full [&_iframe]:h-267.5 [&_iframe]:border-0">
        {/* An email contains a caller's words: the empty sandbox allows no scripts, forms or popups. */}
        <iframe title="The email" sandbox="" srcDoc={email.html} />
      </div>
    );
  }
  const text = face === "SOURCE" ? (email.html ?? email.text) : email.text;
  return <CodeBox label={face === "SOURCE" ? "Source" : "Plain text"}>{text}</CodeBox>;
}
