import { CodeBox } from "@/components/ui/code-box";
import { Link } from "@/components/ui/link";
import type { MailboxMessageView, MailboxView } from "@/lib/contract/views/mailbox-view";

type Email = Extract<MailboxMessageView, { channel: "EMAIL" }>;

const FACES: { face: MailboxView["face"]; label: string }[] = [
  { face: "AS_SENT", label: "As sent" },
  { face: "PLAIN_TEXT", label: "Plain text" },
  { face: "SOURCE", label: "Source" },
];

/** One email, in the face that was chosen. */
export function EmailPane({ email, view }: { email: Email; view: MailboxView }) {
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
        {/* An email carries a caller's words: an empty sandbox runs no script, submits no form and opens nothing. */}
        <iframe title="The email" sandbox="" srcDoc={email.html} />
      </div>
    );
  }
  const text = face === "SOURCE" ? (email.html ?? email.text) : email.text;
  return <CodeBox label={face === "SOURCE" ? "Source" : "Plain text"}>{text}</CodeBox>;
}
