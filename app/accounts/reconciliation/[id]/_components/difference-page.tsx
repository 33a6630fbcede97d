import { Check, CircleDashed, Landmark, Link2, Mail, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import {
  differenceTitle,
  eventTitle,
  KIND_WORDS,
  LINE_KIND_WORDS,
} from "@/app/accounts/reconciliation/_components/difference-words";
import { DifferenceState, SideAmount } from "@/app/accounts/reconciliation/_components/reconciliation-page";
import {
  BookLineForm,
  MatchForm,
  NoteForm,
} from "@/app/accounts/reconciliation/[id]/_components/difference-forms";
import { acceptDate, noteBankAsked } from "@/app/accounts/reconciliation/actions";
import { COLUMNS } from "@/components/layout/columns";
import { Crumb } from "@/components/layout/crumb";
import { PageHead } from "@/components/layout/page-head";
import { Section } from "@/components/layout/section";
import { SideColumn } from "@/components/layout/side-column";
import { Amount } from "@/components/money/amount";
import { formatDate, formatMoment } from "@/components/time/format-instant";
import { DefinitionList } from "@/components/ui/definition-list";
import { Link } from "@/components/ui/link";
import { LINK } from "@/components/ui/text-styles";
import { Timeline } from "@/components/ui/timeline";
import { BY_RAIL } from "@/lib/contract/bank-capabilities";
import { formatCents } from "@/lib/contract/format-cents";
import { RECONCILIATION_HREF } from "@/lib/contract/hrefs";
import type { TimeContext } from "@/lib/contract/time-context";
import type { DifferenceEventView, DifferenceView } from "@/lib/views/reconciliation/read-difference";
import type { DifferenceRowView } from "@/lib/views/reconciliation/read-reconciliation";

interface DifferencePageProps {
  view: DifferenceView;
}

export function DifferencePage({ view }: DifferencePageProps) {
  const { state, viewer, time, differsFrom } = view;
  return (
    <>
      <Crumb
        ways={[
          { href: "/accounts", label: "Accounts" },
          { href: RECONCILIATION_HREF, label: "Reconciliation" },
        ]}
        here={KIND_WORDS[view.kind]}
        wraps
      />
      <PageHead title={differenceTitle(view)} lede={<DifferenceState difference={view} />} />
      <div className={COLUMNS}>
        <div className="[&>.section:first-child]:mt-0">
          <Section id="sides" title="Both sides">
            {view.before === null ? <Sides view={view} /> : <Versions view={view} before={view.before} />}
          </Section>
          {state === "EXPECTED" ? (
            <p className="max-w-[66ch] mt-5 text-ink-2">
              Settlement explains it until {formatDate(differsFrom, time)}. Nothing needs to be done.
            </p>
          ) : null}
          {state === "OPEN" && viewer.canResolve ? <Resolve view={view} /> : null}
          {state === "OPEN" && !viewer.canResolve ? (
            <p className="mt-5 text-ink-3">An owner or co-owner resolves it.</p>
          ) : null}
        </div>
        <SideColumn gap="wide">
          <Section id="history" title="History" className="mt-0">
            <div className="mt-4">
              <Timeline items={view.events.map((event) => toItem(event, time))} />
            </div>
          </Section>
        </SideColumn>
      </div>
    </>
  );
}

/** What the bank says of a line now and said before, and what was booked for it. */
function Versions({ view, before }: { view: DifferenceView; before: NonNullable<DifferenceView["before"]> }) {
  const { line, bankInCents, booksInCents, time } = view;
  return (
    <DefinitionList className="mt-4" columns="wideTerms" align="left" breaks="anywhere" stacksOnPhones>
      <dt>At the bank now</dt>
      <dd>
        <Amount cents={bankInCents} />
        {line === null ? null : ` on ${formatDate(line.day, time)}`}
        {line === null || line.description === "" ? null : `, “${line.description}”`}
        {before.kind === null ? null : `, ${LINE_KIND_WORDS[before.nowKind]}`}
      </dd>
      <dt>At the bank before</dt>
      <dd>
        <Amount cents={booksInCents} /> on {formatDate(before.day, time)}
        {before.kind === null ? null : `, ${LINE_KIND_WORDS[before.kind]}`}
      </dd>
      <ReferenceAndBooks view={view} />
    </DefinitionList>
  );
}

/** The last two rows of either list. */
function ReferenceAndBooks({ view: { line, entry, time } }: DifferencePageProps) {
  return (
    <>
      {line === null ? null : (
        <>
          <dt>The bank’s reference</dt>
          <dd>
            <code className="text-[0.93em]">{line.reference}</code>
          </dd>
        </>
      )}
      <dt>In the books</dt>
      <dd>{entry === null ? "No entry" : <Booked entry={entry} time={time} />}</dd>
    </>
  );
}

function Booked({ entry, time }: { entry: NonNullable<DifferenceView["entry"]>; time: TimeContext }) {
  return (
    <>
      <Amount cents={entry.amountInCents} /> on {formatDate(entry.day, time)}
      {entry.name === "" ? null : `, ${entry.name}`}
      {entry.href === null ? null : (
        <>
          {" "}
          <Link className={LINK} href={entry.href}>
            Open
          </Link>
        </>
      )}
    </>
  );
}

function Sides({ view }: DifferencePageProps) {
  const { line, rail, bankInCents, time } = view;
  return (
    <DefinitionList className="mt-4" columns="wideTerms" align="left" breaks="anywhere" stacksOnPhones>
      <dt>At the bank</dt>
      <dd>
        {line === null ? (
          "No line of the statement"
        ) : (
          <>
            <SideAmount cents={bankInCents} /> {rail === null ? null : `${BY_RAIL[rail]} `}on{" "}
            {formatDate(line.day, time)}
            {line.description === "" ? null : `, “${line.description}”`}
            {line.isForeign ? ". Another program’s order: Sluice did not send it." : null}
          </>
        )}
      </dd>
      <ReferenceAndBooks view={view} />
    </DefinitionList>
  );
}

function Resolve({ view }: DifferencePageProps) {
  const { id, kind, accounts, candidates, bankInCents, booksInCents, isLineUnresolved, time } = view;
  const bookedInCents = bankInCents - booksInCents;
  const isChange = kind === "LINE_CHANGED";
  return (
    <>
      {isLineUnresolved ? (
        <p className="max-w-[66ch] mt-5 text-ink-2">
          The line as it was before is not resolved either. Resolve that difference first. If the bank
          corrected the line, both end by themselves.
        </p>
      ) : null}
      {accounts === null ? null : (
        <Section id="book" title={isChange ? "Book what changed" : "Book it"}>
          <p className="max-w-[66ch] mt-3.5 text-ink-2">
            {isChange
              ? `Books ${formatCents(bookedInCents)} and leaves the entry as it is. If the bank changes the line back, that is a new difference.`
              : bookedInCents < 0
                ? "The bank has taken the money already. Choose the account that bears it."
                : "The bank has the money already. Choose the account that it belongs to; rules that wait for money there run."}
          </p>
          <BookLineForm differenceId={id} isCharge={bookedInCents < 0} accounts={accounts} />
        </Section>
      )}
      {candidates.length === 0 ? null : (
        <Section id="match" title="Match by hand">
          <p className="max-w-[66ch] mt-3.5 text-ink-2">
            Differences that cancel this one out to the cent. Both stay in the history.
          </p>
          <MatchForm
            differenceId={id}
            candidates={candidates.map((row) => ({ id: row.id, label: candidateLabel(row, time) }))}
          />
        </Section>
      )}
      {bookedInCents === 0 ? (
        <Section id="accept" title={isChange ? "Accept the change" : "Accept the date"}>
          <NoteForm
            differenceId={id}
            label={isChange ? "Why the bank changed it" : "Why the dates differ"}
            hint="The history keeps it."
            button={{ label: isChange ? "Accept the change" : "Accept the date", busyLabel: "Accepting" }}
            act={acceptDate}
          />
        </Section>
      ) : null}
      <Section id="ask" title="Ask the bank">
        <NoteForm
          differenceId={id}
          label="What was asked, and whom"
          hint="The difference stays open until the bank’s answer shows on its statement."
          button={{ label: "Note it", busyLabel: "Noting" }}
          act={noteBankAsked}
        />
      </Section>
    </>
  );
}

/** `Missing at the bank, $40.00, Nov 19, Halden Health`. */
function candidateLabel(
  { kind, bankInCents, booksInCents, day, description }: DifferenceRowView,
  time: TimeContext,
): string {
  const cents = bankInCents === 0 ? booksInCents : bankInCents;
  return [KIND_WORDS[kind], formatCents(cents), formatDate(day, time), description]
    .filter((part) => part !== "")
    .join(", ");
}

const ICON: Record<DifferenceEventView["kind"], ReactNode> = {
  FOUND: <CircleDashed aria-hidden="true" />,
  OPENED: <TriangleAlert aria-hidden="true" />,
  ASKED_BANK: <Mail aria-hidden="true" />,
  ARRIVED: <Landmark aria-hidden="true" />,
  CANCELED_OUT: <Link2 aria-hidden="true" />,
  CHANGED_BACK: <Landmark aria-hidden="true" />,
  CHANGED_AGAIN: <Landmark aria-hidden="true" />,
  MATCHED_BY_HAND: <Link2 aria-hidden="true" />,
  BOOKED: <Check aria-hidden="true" />,
  ACCEPTED: <Check aria-hidden="true" />,
};

function toItem(event: DifferenceEventView, time: TimeContext) {
  return {
    key: event.key,
    icon: ICON[event.kind],
    title: eventTitle(event),
    detail: (
      <>
        {formatMoment(event.at, time)}.{event.note === null ? null : ` “${event.note}”`}
        {event.transferHref === null ? null : (
          <>
            {" "}
            <Link className={LINK} href={event.transferHref}>
              What was booked
            </Link>
          </>
        )}
        {event.otherHref === null ? null : (
          <>
            {" "}
            <Link className={LINK} href={event.otherHref}>
              The other one
            </Link>
          </>
        )}
      </>
    ),
    state: "done" as const,
  };
}
