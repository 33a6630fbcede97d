import { Check, Plug, X } from "lucide-react";
import { ConsentIsland } from "@/app/connect/[uid]/_components/consent-island";
import { COLUMNS } from "@/components/layout/columns";
import { PageFoot } from "@/components/layout/page-head";
import { SideColumn } from "@/components/layout/side-column";
import { LookAlikeNote } from "@/components/parts/accounts/look-alike-note";
import { roleWithArticle } from "@/components/parts/members/role-words";
import { SwitchForm } from "@/components/shell/switch-form";
import { BANKS, DRY_BED, RIPPLES, WAITING_LEAF, WATER } from "@/components/sluice/ink";
import { formatInSentence } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { Button, buttonClass } from "@/components/ui/button";
import { DefinitionList } from "@/components/ui/definition-list";
import { FactLine } from "@/components/ui/fact-line";
import { GateClosedIcon } from "@/components/ui/icons";
import { Note } from "@/components/ui/note";
import { LEDE, MONO, PAGE_TITLE, TAG, TITLE_FACE } from "@/components/ui/text-styles";
import { ACCESS_TOKEN_MINUTES, CONNECTION_DAYS, UNUSED_CONNECTION_DAYS } from "@/lib/contract/limits";
import type { AskingClientView, ConsentView } from "@/lib/views/assistants/read-consent";
import { joinWords } from "@/lib/words/keys/key-phrases";

interface ConsentPageProps {
  view: ConsentView;
}

/**
 * A program asks to connect: who it claims to be and what is verified, what it may and may never do, who agrees. Its
 * own words are quoted and apart, because a program may call itself "Sluice" or "your bank".
 */
export function ConsentPage({ view }: ConsentPageProps) {
  const { client, organization } = view;
  return (
    <div className={`${COLUMNS} `}>
      <div>
        <FactLine className="mb-5">
          <span className={`${TAG} [&_svg]:size-3.25`}>
            <Plug />
            Assistant
          </span>
          <span>{beforeWords(view)}</span>
        </FactLine>
        <h1 className={`${TITLE_FACE} text-[40px]/11.5 wrap-anywhere`}>
          “<bdi>{client.name}</bdi>” wants to connect to <bdi>{organization.name}</bdi>
        </h1>
        {view.lookAlike === null ? null : (
          <div className="mt-5">
            <LookAlikeNote names={[view.lookAlike]} />
          </div>
        )}
        <Link2 view={view} />
        <div className="grid grid-cols-[1fr_1fr] gap-y-0 gap-x-14 mt-9 [&_li]:grid [&_li]:grid-cols-[20px_1fr] [&_li]:gap-3 [&_li]:py-3.25 [&_li]:px-0 [&_li]:border-b [&_li]:border-rule [&_li:last-child]:border-b-0 [&_li_b]:font-medium [&_svg]:mt-px [&_svg]:text-teal [&_p]:text-sm/4.75 [&_p]:text-ink-3 max-lg:gap-y-0 max-lg:gap-x-8 max-sm:grid-cols-1 max-sm:gap-7">
          <Lines id="may" title="It can" lines={mayLines(view)} />
          <Lines id="never" title="It can never" lines={neverLines(view)} />
        </div>
      </div>
      <SideColumn>
        <ConsentIsland
          uid={view.uid}
          organization={{ id: organization.id, name: organization.name }}
          member={view.member}
          client={{ name: client.name, goesBackTo: goesBackTo(view), isLoopback: client.isLoopback }}
        />
        {view.otherOrganizations.length > 0 ? (
          <OtherOrganizations
            organizations={view.otherOrganizations}
            shown={view.shown}
            next={`/connect/${view.uid}`}
          />
        ) : null}
        <CheckIt view={view} />
      </SideColumn>
    </div>
  );
}

function goesBackTo({ client }: ConsentView): string {
  return client.isLoopback ? "a program on this machine" : client.redirectHost;
}

/** The program on the left, the organization behind a closed gate on the right. */
function Link2({ view: { client, organization } }: { view: ConsentView }) {
  const accounts = `${organization.accountCount} ${organization.accountCount === 1 ? "account" : "accounts"}`;
  const rules = `${organization.ruleCount} ${organization.ruleCount === 1 ? "rule" : "rules"}`;
  return (
    <div className="grid grid-cols-[minmax(0,auto)_minmax(120px,1fr)_minmax(0,auto)] items-center max-w-160 mx-0 mt-9 mb-2 [&>div]:grid [&>div]:gap-0.5 [&>div]:wrap-anywhere [&>svg]:w-full [&>svg]:h-24 [&>svg]:py-0 [&>svg]:px-5 max-sm:grid-cols-[fit-content(36%)_minmax(60px,1fr)_fit-content(40%)] max-sm:[&>svg]:h-18 max-sm:[&>svg]:py-0 max-sm:[&>svg]:px-2">
      <div>
        <span className="text-lg font-semibold line-clamp-2">
          <bdi>{client.name}</bdi>
        </span>
        <span className="text-sm text-ink-3 max-sm:max-w-[14ch]">
          returns to{" "}
          {client.isLoopback ? (
            "a program on this machine"
          ) : (
            <span className={MONO}>{client.redirectHost}</span>
          )}
        </span>
      </div>
      <svg viewBox="0 0 320 96" preserveAspectRatio="none" aria-hidden="true">
        <path className={WATER} d="M0 62H148V84H0z" />
        <path className={RIPPLES} d="M20 69h44m10 0h24M50 76.5h60" />
        <path className={BANKS} d="M0 61.5H146M174 61.5H320M0 84.5H320" />
        <path className={DRY_BED} d="M184 73H312" />
        <path className={BANKS} d="M148.5 14V84M171.5 14V84M143 14.5h34M160 5v42M153 5.5h14" />
        <rect className={WAITING_LEAF} x="152" y="46" width="16" height="38" />
      </svg>
      <div>
        <span className="text-lg font-semibold line-clamp-2">
          <bdi>{organization.name}</bdi>
        </span>
        <span className="text-sm text-ink-3 max-sm:max-w-[14ch]">
          {accounts}, {rules}
        </span>
      </div>
    </div>
  );
}

function Lines({ id, title, lines }: { id: string; title: string; lines: readonly MayLine[] }) {
  return (
    <section aria-labelledby={id}>
      <h2 className="pb-2.5 border-b border-rule-strong text-base font-semibold" id={id}>
        {title}
      </h2>
      <ul>
        {lines.map(({ kind, title, detail }) => (
          <li key={title} className={kind === "NEVER" ? "[&>svg]:text-ink-3!" : undefined}>
            <LineIcon kind={kind} />
            <div>
              <b>{title}</b>
              {detail ? <p>{detail}</p> : null}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

function LineIcon({ kind }: Pick<MayLine, "kind">) {
  if (kind === "NEVER") return <X />;
  return kind === "ASKS" ? <GateClosedIcon /> : <Check />;
}

function CheckIt({ view: { client, time } }: { view: ConsentView }) {
  return (
    <section aria-labelledby="check">
      <h2 className="text-base font-semibold" id="check">
        Check that you started this
      </h2>
      <DefinitionList breaks="anywhere">
        <dt>Calls itself</dt>
        <dd>
          “<bdi>{client.name}</bdi>”
        </dd>
        <dt>Sends you back to</dt>
        <dd>
          {client.isLoopback ? <span className="block font-normal">A program on this machine</span> : null}
          <span className={MONO}>{client.redirectHost}</span>
        </dd>
        <dt>Verification</dt>
        <dd>{knownByWords(client)}</dd>
        <dt>Asked</dt>
        <dd>
          <Moment at={client.askedAt} time={time} />
        </dd>
        <dt>Keeps access</dt>
        <dd>
          {client.keepsAccess
            ? `Until you end it, at most ${CONNECTION_DAYS} days; it ends after ${UNUSED_CONNECTION_DAYS} days without use`
            : `${ACCESS_TOKEN_MINUTES} minutes, then it asks again`}
        </dd>
      </DefinitionList>
      <div className="mt-4">
        <Note>{checkedWords(client)}</Note>
      </div>
    </section>
  );
}

interface OtherOrganizationsProps {
  organizations: readonly { id: string; name: string }[];
  shown: string;
  /** Path of this page, reopened there. */
  next: string;
}

/** For members of several organizations. */
function OtherOrganizations({ organizations, shown, next }: OtherOrganizationsProps) {
  return (
    <section aria-labelledby="instead">
      <h2 className="text-base font-semibold" id="instead">
        Connect it to another instead
      </h2>
      <SwitchForm shown={shown} next={next}>
        <ul className="grid gap-2 [&_.button]:whitespace-normal [&_.button]:wrap-anywhere">
          {organizations.map(({ id, name }) => (
            <li key={id}>
              <Button kind="outlined" wide type="submit" name="organization" value={id}>
                {name}
              </Button>
            </li>
          ))}
        </ul>
      </SwitchForm>
    </section>
  );
}

/** An unknown request, an expired one, or one of another browser: indistinguishable on purpose. */
export function ConsentOver() {
  return (
    <div className="max-w-180">
      <h1 className={PAGE_TITLE}>This request is over</h1>
      <p className={`${LEDE} mt-2 wrap-anywhere`}>
        It was already answered, expired, or began in another browser. Opening this page connected nothing. To
        connect an assistant, start again from there.
      </p>
      <PageFoot>
        <a className={buttonClass({ kind: "outlined" })} href="/settings/assistants">
          See what is connected
        </a>
      </PageFoot>
    </div>
  );
}

/** One thing that an assistant can, or can never, do. */
interface MayLine {
  /** `ASKS`: a person decides each time. */
  kind: "DOES" | "ASKS" | "NEVER";
  title: string;
  detail: string | null;
}

const READS: MayLine = {
  kind: "DOES",
  title: "Read everything here",
  detail: "Accounts, balances, movements, rules and the audit log",
};

/** The permissions of `permissionsOfRole`, in words. */
export function mayLines({ power, otherDeciders }: Pick<ConsentView, "power" | "otherDeciders">): MayLine[] {
  if (power === "READS") return [READS];
  return [
    READS,
    {
      kind: "ASKS",
      title: "Propose to move money",
      detail: `${approvers(otherDeciders)} approve each proposal`,
    },
    { kind: "ASKS", title: "Propose to run a rule", detail: "Each run needs approval" },
    {
      kind: "DOES",
      title: "Create pods and rules",
      detail: "Pods start empty. Rules stay off until a person activates them",
    },
  ];
}

export function neverLines({ power, member }: Pick<ConsentView, "power" | "member">): MayLine[] {
  const never = (title: string, detail: string | null = null): MayLine => ({ kind: "NEVER", title, detail });
  const decides = [
    never("Approve anything", power === "ASKS" ? "Not even its own proposals" : null),
    never("Activate a rule"),
    never("Invite people, make keys or issue cards", "It can only point you to the page"),
  ];
  if (power === "ASKS") {
    return [never("Move money by itself", "This cannot be switched on for an assistant"), ...decides];
  }
  return [
    never("Move money or propose to", `You are ${roleWithArticle(member.role)}, so it only reads`),
    never("Create pods and rules, or propose to run one", "Only for owners and co-owners"),
    ...decides,
  ];
}

/** `You`; `You or Jonas`; `You, Jonas or Ines`; of many, `You or one of 5 others`. */
function approvers(others: readonly string[]): string {
  if (others.length > 3) return `You or one of ${others.length} others`;
  return joinWords(["You", ...others], "or");
}

/** `First connection`; `Connected before by Mara Okafor on 3 Aug 2026`. */
export function beforeWords({ before, time }: Pick<ConsentView, "before" | "time">): string {
  if (!before) return "First connection";
  const who = before.isByViewer ? "you" : before.byName;
  const since = before.isConnected ? ", and still is" : "";
  return `Connected before by ${who} ${formatInSentence(before.at, time)}${since}`;
}

export function knownByWords({ knownBy, idHost }: AskingClientView): string {
  switch (knownBy) {
    case "OPERATOR":
      return "Registered by the operator";
    case "REGISTRATION":
      return "Registered itself, unchecked";
    case "METADATA_DOCUMENT":
      return `Published at ${idHost ?? "its address"}`;
  }
}

/** What was verified, and what the program only claims. */
export function checkedWords({ knownBy, idHost, isLoopback }: AskingClientView): string {
  const name = "The program chose its name.";
  if (isLoopback) {
    return `${name} It runs on this machine, where any program could send this request. Connect only if you just started it yourself.`;
  }
  switch (knownBy) {
    case "OPERATOR":
      return "The operator of this Sluice registered it with this name and address.";
    case "REGISTRATION":
      return `${name} Its maker is unverified. Only the address is certain: your browser returns there and nowhere else.`;
    case "METADATA_DOCUMENT":
      return `${name} We verified the address: ${idHost ?? "its publisher"} confirms that the program returns there.`;
  }
}
