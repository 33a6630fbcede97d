import { Mail } from "lucide-react";
import { buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import type { HelpView } from "@/lib/contract/views/help-view";

const MAIL_WORDS = {
  PROVIDER: "Goes out over the operator’s mail server.",
  MAILBOX: "Stays on this machine, where /mailbox shows it. The operator has set no mail server.",
  NONE: "None leaves: the operator has set no mail server.",
} as const;

const SMS_WORDS = {
  PROVIDER: "Go out over the operator’s provider.",
  MAILBOX: "Stay on this machine, where /mailbox shows them.",
  NONE: "None leave: the operator has set no provider.",
} as const;

/** Whom to ask, what to tell them, and what one can look up first. */
export function HelpPage({ view }: { view: HelpView }) {
  return (
    <div className="help">
      <Section id="ask" title="Whom to ask">
        <p className="ink2">
          Whoever runs this Sluice, at {view.hostName}, can help. Its makers see none of your accounts.
        </p>
        {view.supportEmail ? (
          <OfTheOperator view={view} supportEmail={view.supportEmail} />
        ) : (
          <OfTheOwners view={view} />
        )}
      </Section>
      <Section id="include" title="What to tell them">
        <ul className="help-l">
          <li>What you wanted to do, and what happened instead.</li>
          <li>When, and which account, rule or key it was about.</li>
          <li>
            The request id, where a page or an answer showed one: it looks like{" "}
            <code className="mono">7fq2-m81x-k03d</code>, and the operator finds it in the log.
          </li>
        </ul>
        <p className="ink2">
          Never a password, a recovery code or the text of a key. Nobody who helps you needs them.
        </p>
      </Section>
      <Section id="yourself" title="Look first">
        <ul className="rl">
          <li>
            <Link className="link" href="/docs">
              Guides and API reference
            </Link>
          </li>
          <li>
            <Link className="link" href="/docs/errors">
              What each error means
            </Link>
          </li>
          <li>
            <Link className="link" href="/audit">
              What programs asked for, and what they were answered
            </Link>
          </li>
          <li>
            <span>
              Shortcuts: press <kbd>?</kbd> on any page
            </span>
            <Link className="link" href="/settings/security">
              Switch single keys off
            </Link>
          </li>
          <li>
            <a className="link" href="/readyz">
              Is this server well?
            </a>
            <span className="meta">Answers “ready” while it reaches its database</span>
          </li>
        </ul>
      </Section>
      <Section id="installation" title="This Sluice" fact={`Version ${view.installation.version}`}>
        <ul className="setl">
          <Fact name="Bank" about={view.installation.isSandbox ? "Sandbox: no real money moves." : "Real."} />
          <Fact name="Email" about={MAIL_WORDS[view.installation.mailWay]} />
          <Fact name="Text messages" about={SMS_WORDS[view.installation.smsWay]} />
          <Fact name="Address" about={view.hostName} />
        </ul>
      </Section>
    </div>
  );
}

function Fact({ name, about }: { name: string; about: string }) {
  return (
    <li>
      <div>
        <b>{name}</b>
        <p className="meta">{about}</p>
      </div>
    </li>
  );
}

function OfTheOperator({ view, supportEmail }: { view: HelpView; supportEmail: string }) {
  return (
    <>
      <p className="ink2">Whoever runs this server answers at {supportEmail}.</p>
      <p className="help-a">
        <a className={buttonClass({ kind: "primary" })} href={mailHref(view, supportEmail)}>
          <Mail className="ic" />
          Write to support
        </a>
      </p>
    </>
  );
}

function OfTheOwners({ view }: { view: HelpView }) {
  return (
    <>
      <p className="ink2">
        Whoever runs this server gave no address for questions. The owners of {view.organizationName} know who
        that is.
      </p>
      <ul className="rl">
        {view.owners.map((owner) => (
          <li key={owner.email}>
            <span>
              {owner.name}
              {owner.isYou ? ", you" : null}
            </span>
            <a className="link" href={mailHref(view, owner.email)}>
              {owner.email}
            </a>
          </li>
        ))}
      </ul>
      {view.owners.some(({ isYou }) => isYou) ? (
        <p className="meta help-a">
          Do you run it yourself? Set <code className="mono">SUPPORT_EMAIL</code>, and that address stands
          here.
        </p>
      ) : null}
    </>
  );
}

/** A letter to support that begins with what support will ask for. Nothing of it is secret. */
export function mailHref(
  view: Pick<HelpView, "organizationName" | "hostName" | "requestId" | "installation">,
  to: string,
): string {
  const { organizationName, hostName, requestId, installation } = view;
  const subject = `Sluice, ${organizationName}${requestId ? `: request ${requestId}` : ""}`;
  const body = [
    "What I wanted to do:",
    "",
    "What happened instead, and when:",
    "",
    `Request id: ${requestId ?? ""}`,
    `Server: ${hostName}, version ${installation.version}`,
    "",
  ].join("\r\n");
  return `mailto:${encodeURIComponent(to)}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`;
}
