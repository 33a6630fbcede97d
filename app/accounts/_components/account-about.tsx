import { CreditCard } from "lucide-react";
import type { ReactNode } from "react";
import { Section } from "@/components/layout/section";
import { WaitingChangeNotes } from "@/components/parts/approvals/waiting-change-notes";
import { formatAfterWord, formatDate, formatDay } from "@/components/time/format-instant";
import { DefinitionList } from "@/components/ui/definition-list";
import { Gauge } from "@/components/ui/gauge";
import { GateClosedIcon } from "@/components/ui/icons";
import { Link } from "@/components/ui/link";
import { LinkList } from "@/components/ui/link-list";
import { Status } from "@/components/ui/status";
import { MONO, SUBLINE } from "@/components/ui/text-styles";
import { formatCents } from "@/lib/contract/format-cents";
import type { TimeContext } from "@/lib/contract/time-context";
import type { AccountPageView, OwnBankAccountView } from "@/lib/views/accounts/read-account-page";
import type { ManagedAccountView, OwedAccountView } from "@/lib/views/accounts/read-accounts-page";
import { ACCOUNT_KIND_WORDS } from "@/lib/words/account-words";

interface Described {
  description?: string | null;
  institutionName: string | null;
  numberEnding: string | null;
}

/** Below an account's name: `First Harbor, ••••8820`. */
export function aboutAccount({ description, institutionName, numberEnding }: Described): string | null {
  const number = numberEnding ? `••••${numberEnding}` : null;
  return [description, institutionName, number].filter(Boolean).join(", ") || null;
}

/** Below a debt's name: `Summit, ••••5518. Paid from Operating`. */
export function aboutOwed(account: OwedAccountView): string | null {
  const paidFrom = account.paidFromName ? `Paid from ${account.paidFromName}` : null;
  return [aboutAccount(account), paidFrom].filter(Boolean).join(". ") || null;
}

/** `Statement $2,318.40, minimum $75.00, due 25 Nov` */
export function statementWords(
  {
    statementInCents,
    minimumInCents,
    dueOn,
  }: Pick<OwedAccountView, "statementInCents" | "minimumInCents" | "dueOn">,
  time: TimeContext,
): string | null {
  const parts = [
    statementInCents === null ? null : `statement ${formatCents(statementInCents)}`,
    minimumInCents === null ? null : `minimum ${formatCents(minimumInCents)}`,
    dueOn === null ? null : `due ${formatDate(dueOn, time)}`,
  ].filter((part) => part !== null);
  if (parts.length === 0) return null;
  const words = parts.join(", ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Progress toward a savings goal in whole percent, rounded down: 100 only when reached. */
export function goalPercent({
  balanceInCents,
  goalInCents,
}: Pick<ManagedAccountView, "balanceInCents" | "goalInCents">): number {
  if (!goalInCents) return 0;
  return Math.min(100, Math.max(0, Math.floor((balanceInCents * 100) / goalInCents)));
}

/** The facts about an account; missing ones are left out. */
export function AccountAbout({ view }: { view: AccountPageView }) {
  return (
    <Section id="about" title="About">
      {view.description ? <p className="mt-3.5 wrap-anywhere text-ink-2">{view.description}</p> : null}
      <DefinitionList className="mt-3.5">
        <Fact label="Type">{ACCOUNT_KIND_WORDS[view.kind]}</Fact>
        <Fact label="Owned by">{view.ownerName}</Fact>
        <Fact label="At">{view.institutionName}</Fact>
        <Fact label="Routing">{numberOf(view.routingEnding)}</Fact>
        <Fact label="Account">{numberOf(view.numberEnding)}</Fact>
        <RegisteredFacts view={view} />
        <Fact label="At the bank">
          {view.ownBankAccount && ownAccountWords(view.ownBankAccount, view.time)}
        </Fact>
        {view.isGettingNumbers ? (
          <Fact label="Numbers">
            {view.numberProblem === null ? (
              "Being issued by the bank"
            ) : (
              <>
                Not issued yet: <bdi>{view.numberProblem}</bdi>. Sluice asks again every half hour; your
                operator can change how it asks.
              </>
            )}
          </Fact>
        ) : null}
        <Fact label="Floor">{view.floorInCents === null ? null : formatCents(view.floorInCents)}</Fact>
        <OwedFacts view={view} />
        <Fact label="Since">{formatDay(view.createdAt, view.time)}</Fact>
        {view.closedAt ? <Fact label="Closed">{formatDay(view.closedAt, view.time)}</Fact> : null}
      </DefinitionList>
      <WaitingChangeNotes changes={view.waitingChanges} canAsk={view.editHref !== null} />
      <Goal view={view} />
    </Section>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  if (children === null) return null;
  return (
    <>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </>
  );
}

function RegisteredFacts({ view: { registration, numberEnding, time } }: { view: AccountPageView }) {
  if (registration?.kind !== "REGISTERED") return null;
  const isOther = registration.numberEnding !== numberEnding;
  return (
    <>
      <Fact label="At the bank">{isOther ? numberOf(registration.numberEnding) : null}</Fact>
      <Fact label="Registered">
        {formatDay(registration.at, time)}, by {registration.byName}
      </Fact>
    </>
  );
}

/** `Its own account, with $1,800.00 as of today, 11:24 AM. $200.00 has yet to move there.` */
export function ownAccountWords({ isOwn, there }: OwnBankAccountView, time: TimeContext): string {
  if (there === null) return isOwn ? "Its own account, not open yet" : "Part of the shared account";
  const { atBankInCents, askedAt, toMoveInCents, isRefused } = there;
  if (!isOwn && atBankInCents === 0) return "Part of the shared account";
  const held = `Its own account, with ${formatCents(atBankInCents)} as of ${formatAfterWord(askedAt, time)}`;
  if (toMoveInCents === 0) return held;
  const amount = formatCents(Math.abs(toMoveInCents));
  const way = toMoveInCents > 0 ? "there from the shared account" : "to the shared account";
  return isRefused
    ? `${held}. The bank refused to move ${amount} ${way}; Sluice tries again.`
    : `${held}. ${amount} has yet to move ${way}.`;
}

function numberOf(ending: string | null): ReactNode {
  return ending ? <span className={MONO}>••••{ending}</span> : null;
}

function OwedFacts({ view: { owed, time } }: { view: AccountPageView }) {
  if (!owed) return null;
  const amount = (cents: number | null) => (cents === null ? null : formatCents(cents));
  return (
    <>
      <Fact label="Last statement">{amount(owed.statementInCents)}</Fact>
      <Fact label="Minimum payment">{amount(owed.minimumInCents)}</Fact>
      <Fact label="Due">{owed.dueOn && formatDate(owed.dueOn, time)}</Fact>
      <Fact label="Interest">
        {owed.interestRatePercentage === null ? null : `${owed.interestRatePercentage}%`}
      </Fact>
      <Fact label="Loan">{amount(owed.originalLoanInCents)}</Fact>
    </>
  );
}

function Goal({ view: { goalInCents, balanceInCents } }: { view: AccountPageView }) {
  if (goalInCents === null) return null;
  const percent = goalPercent({ balanceInCents: balanceInCents ?? 0, goalInCents });
  return (
    <div className="grid gap-1.5 mt-4">
      <Gauge percent={percent} tone="goal" />
      <span className="text-sm text-ink-3">
        {percent}% of {formatCents(goalInCents)}
      </span>
    </div>
  );
}

/** The debt that a pod pays, or the pods that pay a debt. */
export function AccountLinks({ view }: { view: AccountPageView }) {
  const { linked, paidFrom, waiting, viewer } = view;
  if (linked) {
    const isWaiting = waiting.some((movement) => movement.destinationAccountIds.includes(linked.id));
    return (
      <Section id="linked" title="Pays">
        <p className="grid grid-cols-[40px_1fr] items-center gap-3 mt-3.5">
          <span className="grid place-items-center size-10 border border-rule-strong rounded-md text-ink-2">
            <CreditCard />
          </span>
          <span>
            <Link href={linked.href}>
              <b>{linked.name}</b>
            </Link>
            <span className={SUBLINE}>{owedWords(view)}</span>
          </span>
        </p>
        {isWaiting ? (
          <p className="mt-3">
            <Status tone="amber" icon={<GateClosedIcon />}>
              A payment {viewer.canDecide ? "needs your decision" : "is waiting for approval"}
            </Status>
          </p>
        ) : null}
      </Section>
    );
  }
  if (paidFrom.length === 0) return null;
  return (
    <Section id="paid-from" title="Paid from">
      <LinkList>
        {paidFrom.map(({ href, name }) => (
          <li key={href}>
            <Link href={href}>{name}</Link>
          </li>
        ))}
      </LinkList>
    </Section>
  );
}

function owedWords({ linked, time }: AccountPageView): string {
  if (!linked || linked.owedInCents === null) return "Amount owed unknown";
  const statement = statementWords(linked, time);
  const owed = `You owe ${formatCents(linked.owedInCents)}`;
  return statement === null ? owed : `${owed}. ${statement}`;
}
