import { Mail } from "lucide-react";
import Link from "next/link";
import { mailHref } from "@/components/help/mail-href";
import { buttonClass } from "@/components/ui/button";
import { Section } from "@/components/ui/section";
import type { HelpView } from "@/lib/contract/views/help-view";

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
            <a className="link" href="/readyz">
              Is this server well?
            </a>
            <span className="meta">Answers “ready” while it reaches its database</span>
          </li>
        </ul>
      </Section>
    </div>
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
