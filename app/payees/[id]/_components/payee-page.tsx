import { Check, CircleSlash, Mail, PencilLine, Plus, X } from "lucide-react";
import type { ReactNode } from "react";
import { PayeeState } from "@/app/payees/_components/payee-state";
import { ConfirmDetails, RemovePayee, SendLink } from "@/app/payees/[id]/_components/confirm-details";
import { COLUMNS } from "@/components/layout/columns";
import { Crumb } from "@/components/layout/crumb";
import { PageActions, PageHead } from "@/components/layout/page-head";
import { Section } from "@/components/layout/section";
import { SideColumn } from "@/components/layout/side-column";
import { LookAlikeNote } from "@/components/parts/accounts/look-alike-note";
import { ProgramLabels } from "@/components/parts/approvals/program-labels";
import { Signatures } from "@/components/parts/approvals/signatures";
import { SigningDeadline } from "@/components/parts/approvals/signing-deadline";
import { ChangePayeeForm } from "@/components/parts/payees/payee-form";
import { formatInSentence, formatMoment, formatWeekdayMoment } from "@/components/time/format-instant";
import { buttonClass } from "@/components/ui/button";
import { DefinitionList } from "@/components/ui/definition-list";
import { Link } from "@/components/ui/link";
import { Note } from "@/components/ui/note";
import { Timeline } from "@/components/ui/timeline";
import { writeCents } from "@/lib/contract/format-cents";
import type { PayeeEventView, PayeeView } from "@/lib/views/payees/read-payees";

const ACCOUNT_KIND = { CHECKING: "Checking", SAVINGS: "Savings" } as const;

interface PayeePageProps {
  /** Whether the bank asks for the postal address of an account's holder. */
  needsAddress: boolean;
  /** Of the form in which another account is entered. */
  formId: string;
  view: PayeeView;
}

export function PayeePage({ view, needsAddress, formId }: PayeePageProps) {
  const { id, name, kind, state, waiting, current, viewer } = view;
  const canAct = viewer.canChange && state !== "REMOVED";
  return (
    <>
      <Crumb ways={[{ href: "/payees", label: "Payees" }]} here={name} />
      <PageHead
        title={name}
        lede={<PayeeState payee={view} />}
        actions={
          canAct && state === "ACTIVE" ? (
            <PageActions>
              <Link className={buttonClass({ kind: "primary" })} href={`/transfers/new?to=${id}`}>
                Pay
              </Link>
            </PageActions>
          ) : null
        }
      />
      <div className={COLUMNS}>
        <div className="[&>.section:first-child]:mt-0">
          {view.lookAlike === null ? null : (
            <div className="mb-6">
              <LookAlikeNote names={[view.lookAlike]} />
            </div>
          )}
          {waiting ? <Waiting view={view} waiting={waiting} canAct={canAct} /> : null}
          <Section id="account" title="Account in force">
            {current ? (
              <Account account={current}>
                <dt>Confirmed</dt>
                <dd>{formatMoment(current.confirmedAt, view.time)}</dd>
              </Account>
            ) : (
              <p className="max-w-[66ch] mt-3.5 text-ink-2">
                None yet. Nothing can be sent to this payee until an owner or co-owner confirms an account.
              </p>
            )}
            <CoolOffNote view={view} />
          </Section>
          <ProgramLabels labels={view.labels} headingId="labels" />
          {canAct ? (
            <Section id="change" title={current || waiting ? "Change" : "Enter their account"}>
              <p className="max-w-[66ch] mt-3.5 mb-4 text-ink-2">
                A change waits until it is confirmed, and all owners and co-owners are notified.
              </p>
              <ChangePayeeForm
                needsAddress={needsAddress}
                payee={{ id, name, kind, hasAccount: current !== null || waiting !== null }}
                formId={formId}
              />
            </Section>
          ) : null}
          {canAct ? (
            <Section id="link" title="Let them enter it">
              <p className="max-w-[66ch] mt-3.5 mb-4 text-ink-2">
                They get a link that takes one account, once, within 72 hours. What they enter waits for
                confirmation.
                {view.link
                  ? ` A link to ${view.link.sentTo} is open until ${formatWeekdayMoment(view.link.expiresAt, view.time)}; a new one replaces it.`
                  : null}
              </p>
              <SendLink payeeId={id} email={view.email} proposedEmail={view.proposedEmail} />
            </Section>
          ) : null}
          {canAct ? (
            <Section id="remove" title="Remove">
              <RemovePayee payeeId={id} />
            </Section>
          ) : null}
        </div>
        <SideColumn gap="wide">
          <Section id="history" title="History" className="mt-0">
            <div className="mt-4">
              <Timeline items={view.events.map((event) => toItem(event, view))} />
            </div>
          </Section>
        </SideColumn>
      </div>
    </>
  );
}

interface WaitingProps extends Omit<PayeePageProps, "needsAddress" | "formId"> {
  waiting: NonNullable<PayeeView["waiting"]>;
  canAct: boolean;
}

function Waiting({ view, waiting, canAct }: WaitingProps) {
  const who = waiting.givenByKind === "PAYEE" ? "The payee, through a link" : waiting.givenByName;
  return (
    <Section id="waiting" title={view.current ? "A change waits" : "Waits for confirmation"}>
      <Account account={waiting}>
        {waiting.name === view.name ? null : (
          <>
            <dt>New name</dt>
            <dd>{waiting.name}</dd>
          </>
        )}
        <dt>Entered by</dt>
        <dd>
          {who}, {formatInSentence(waiting.givenAt, view.time)}
        </dd>
      </Account>
      {view.current && !waiting.isSameAccount ? (
        <div className="mt-4">
          <Note>
            This replaces the account ending in {view.current.accountNumberLast4}. Requests to change an
            account are a common fraud: call back before you confirm.
          </Note>
        </div>
      ) : null}
      {waiting.signing ? (
        <>
          <Signatures signing={waiting.signing} time={view.time} verb="confirm it" />
          <SigningDeadline signing={waiting.signing} time={view.time} />
        </>
      ) : null}
      {canAct ? (
        <ConfirmDetails
          key={waiting.id}
          payeeId={view.id}
          detailsId={waiting.id}
          payeeName={waiting.name}
          signing={waiting.signing}
        />
      ) : (
        <p className="mt-4 text-ink-3">An owner or co-owner confirms it.</p>
      )}
    </Section>
  );
}

type ShownAccount = Pick<
  NonNullable<PayeeView["current"]>,
  "holderName" | "accountKind" | "routingNumberLast4" | "accountNumberLast4"
>;

function Account({ account, children }: { account: ShownAccount; children: ReactNode }) {
  return (
    <DefinitionList className="mt-4" columns="wideTerms" align="left" breaks="anywhere" stacksOnPhones>
      <dt>Account holder</dt>
      <dd>{account.holderName}</dd>
      <dt>Kind of account</dt>
      <dd>{ACCOUNT_KIND[account.accountKind]}, by ACH</dd>
      <dt>Routing number</dt>
      <dd>Ends in {account.routingNumberLast4}</dd>
      <dt>Account number</dt>
      <dd>Ends in {account.accountNumberLast4}</dd>
      {children}
    </DefinitionList>
  );
}

function CoolOffNote({ view: { coolsOffUntil, coolOff, time } }: { view: PayeeView }) {
  if (coolsOffUntil === null) return null;
  return (
    <div className="mt-4">
      <Note>
        New or changed: payments that together exceed {writeCents(coolOff.aboveInCents)} wait until{" "}
        {formatWeekdayMoment(coolsOffUntil, time)}, and can be canceled until then.
      </Note>
    </div>
  );
}

const ICON: Record<PayeeEventView["kind"], ReactNode> = {
  PROPOSED: <Plus aria-hidden="true" />,
  DETAILS_GIVEN: <PencilLine aria-hidden="true" />,
  SIGNED: <Check aria-hidden="true" />,
  CONFIRMED: <Check aria-hidden="true" />,
  DECLINED: <X aria-hidden="true" />,
  REMOVED: <CircleSlash aria-hidden="true" />,
  INVITED: <Mail aria-hidden="true" />,
};

function toItem(event: PayeeEventView, { time }: Pick<PayeeView, "time">) {
  const ending = event.accountNumberLast4 === null ? "" : ` Account ending in ${event.accountNumberLast4}.`;
  return {
    key: event.key,
    icon: ICON[event.kind],
    title: eventTitle(event),
    detail: `${formatMoment(event.at, time)}.${ending}${noteOf(event)}`,
    state: "done" as const,
    ...(event.kind === "DECLINED" || event.kind === "REMOVED" ? { tone: "bad" as const } : {}),
  };
}

/** `Mara confirmed it`. */
export function eventTitle({
  kind,
  byKind,
  byName,
}: Pick<PayeeEventView, "kind" | "byKind" | "byName">): string {
  switch (kind) {
    case "PROPOSED":
      return `${byName} ${byKind === "API_KEY" ? "proposed" : "added"} it`;
    case "DETAILS_GIVEN":
      return byKind === "PAYEE" ? "The payee entered an account" : `${byName} entered an account`;
    case "SIGNED":
      return `${byName} signed for it`;
    case "CONFIRMED":
      return `${byName} confirmed it`;
    case "DECLINED":
      return `${byName} declined it`;
    case "REMOVED":
      return `${byName} removed it`;
    case "INVITED":
      return `${byName} sent a link`;
  }
}

function noteOf({ kind, note }: PayeeEventView): string {
  if (kind === "CONFIRMED" || kind === "SIGNED")
    return note === null ? " Nobody was called back." : ` Called back: ${note}`;
  if (note === null) return "";
  return kind === "INVITED" ? ` To ${note}.` : ` “${note}”`;
}
