import { Mail } from "lucide-react";
import { Section } from "@/components/layout/section";
import { Breakable } from "@/components/ui/breakable";
import { buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { LinkList } from "@/components/ui/link-list";
import { SettingList } from "@/components/ui/setting-list";
import { LINK, MONO } from "@/components/ui/text-styles";
import type { HelpView } from "@/lib/views/members/read-help";

const MAIL_WORDS = {
  PROVIDER: "Sent through the operator’s mail server.",
  MAILBOX: "Stays on this machine, shown at /mailbox. The operator configured no mail server.",
  NONE: "Not sent: the operator configured no mail server.",
} as const;

const SMS_WORDS = {
  PROVIDER: "Sent through the operator’s provider.",
  MAILBOX: "Stay on this machine, shown at /mailbox.",
  NONE: "Not sent: the operator configured no provider.",
} as const;

export function HelpPage({ view }: { view: HelpView }) {
  return (
    <div className="max-w-180 max-sm:[&_a]:inline-flex max-sm:[&_a]:min-h-11 max-sm:[&_a]:items-center [&>.section_>_p]:mt-3.5 [&>.section_>_ul]:mt-3.5">
      <Section id="ask" title="Who can help">
        <p className="text-ink-2">
          The operator of this Sluice, at {view.hostName}, can help. Its developers cannot see your accounts.
        </p>
        {view.supportEmail ? (
          <OfTheOperator view={view} supportEmail={view.supportEmail} />
        ) : (
          <OfTheOwners view={view} />
        )}
      </Section>
      <Section id="include" title="What to include">
        <ul className="grid gap-2 pl-4.5 text-ink-2 list-disc">
          <li>What you wanted to do and what happened instead.</li>
          <li>When it happened, and to which account, rule or key.</li>
          <li>
            The request ID, if a page or an answer showed one: it looks like{" "}
            <code className={MONO}>7fq2-m81x-k03d</code>, and the operator can find it in the log.
          </li>
        </ul>
        <p className="text-ink-2">
          Never send a password, a recovery code or a key. No one who helps you needs them.
        </p>
      </Section>
      <Section id="yourself" title="Check first">
        <LinkList className="mt-3.5 wrap-anywhere [&>li]:flex-wrap [&>li]:gap-x-4 [&>li]:gap-y-1">
          <li>
            <Link className={LINK} href="/docs">
              Guides and API reference
            </Link>
          </li>
          <li>
            <Link className={LINK} href="/docs/errors">
              What each error means
            </Link>
          </li>
          <li>
            <Link className={LINK} href="/audit">
              Requests of programs, and their answers
            </Link>
          </li>
          <li>
            <span>
              Shortcuts: press <kbd>?</kbd> on any page
            </span>
            <Link className={LINK} href="/settings/security">
              Turn off single-key shortcuts
            </Link>
          </li>
          <li>
            <a className={LINK} href="/readyz">
              System status
            </a>
            <span className="text-sm text-ink-3">“ready” while the database is reachable</span>
          </li>
        </LinkList>
      </Section>
      <Section id="installation" title="This Sluice" fact={`Version ${view.installation.version}`}>
        <SettingList>
          <Fact name="Bank" about={view.installation.isSandbox ? "Sandbox: no real money moves." : "Real."} />
          <Fact name="Email" about={MAIL_WORDS[view.installation.mailWay]} />
          <Fact name="Text messages" about={SMS_WORDS[view.installation.smsWay]} />
          <Fact name="Address" about={view.hostName} />
        </SettingList>
      </Section>
    </div>
  );
}

function Fact({ name, about }: { name: string; about: string }) {
  return (
    <li>
      <div>
        <b>{name}</b>
        <p className="text-sm text-ink-3">{about}</p>
      </div>
    </li>
  );
}

function OfTheOperator({ view, supportEmail }: { view: HelpView; supportEmail: string }) {
  return (
    <>
      <p className="text-ink-2">Support: {supportEmail}.</p>
      <p className="mt-5">
        <a className={buttonClass({ kind: "primary" })} href={mailHref(view, supportEmail)}>
          <Mail />
          Write to support
        </a>
      </p>
    </>
  );
}

function OfTheOwners({ view }: { view: HelpView }) {
  return (
    <>
      <p className="text-ink-2">
        The operator gave no support address. The owners of {view.organizationName} know who runs this server.
      </p>
      <LinkList className="mt-3.5 wrap-anywhere [&>li]:flex-wrap [&>li]:gap-x-4 [&>li]:gap-y-1">
        {view.owners.map((owner) => (
          <li key={owner.email}>
            <span>
              {owner.name}
              {owner.isYou ? ", you" : null}
            </span>
            <a className={LINK} href={mailHref(view, owner.email)}>
              <Breakable text={owner.email} />
            </a>
          </li>
        ))}
      </LinkList>
      {view.owners.some(({ isYou }) => isYou) ? (
        <p className="text-sm text-ink-3 mt-5">
          If you run this server, set <code className={MONO}>SUPPORT_EMAIL</code> to show an address here.
        </p>
      ) : null}
    </>
  );
}

/** Starts with what support asks for; contains no secrets. */
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
