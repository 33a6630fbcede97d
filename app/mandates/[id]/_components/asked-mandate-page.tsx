import { Check, Flag } from "lucide-react";
import { Backtest } from "@/app/mandates/[id]/_components/backtest";
import { Envelope } from "@/app/mandates/[id]/_components/envelope";
import { SignMandate } from "@/app/mandates/[id]/_components/sign-mandate";
import { COLUMNS } from "@/components/layout/columns";
import { Section } from "@/components/layout/section";
import { SideColumn } from "@/components/layout/side-column";
import { Phrases } from "@/components/parts/sentences/phrases";
import { formatAfterWord } from "@/components/time/format-instant";
import { formatTimeLeft } from "@/components/time/time-left";
import { buttonClass } from "@/components/ui/button";
import { CheckItem, Checklist } from "@/components/ui/checklist";
import { DefinitionList } from "@/components/ui/definition-list";
import { FactLine } from "@/components/ui/fact-line";
import { GateClosedIcon } from "@/components/ui/icons";
import { Link } from "@/components/ui/link";
import { POWER_LIST } from "@/components/ui/power-list";
import { Quote } from "@/components/ui/quote";
import { Status } from "@/components/ui/status";
import { KEY_NAME, MONO, PAGE_TITLE } from "@/components/ui/text-styles";
import { formatCents } from "@/lib/contract/format-cents";
import type { AskedMandateView } from "@/lib/views/mandates/read-mandate-page";
import { dateWords } from "@/lib/words/rules/number-words";
import { joinWords } from "@/lib/words/rules/phrases";

/** A mandate before its signatures: what it would allow, the worst of it, and what it would have done. */
export function AskedMandatePage({ view }: { view: AskedMandateView }) {
  const { viewer, key, isOfProgram, time } = view;
  const mayChange = viewer.canDecide;
  const closes = `${formatTimeLeft(Date.parse(view.expiresAt) - Date.parse(time.nowAt))} left`;
  return (
    <div className={COLUMNS}>
      <div>
        <FactLine as="div" className="mb-5">
          <Status tone="amber" icon={<GateClosedIcon />}>
            {view.signing.viewer.maySign ? "Needs your signature" : "Waiting for signatures"}
          </Status>
          <span title={view.id}>
            Mandate <span className={MONO}>{view.shortId}</span>
          </span>
          <span className="sm:hidden!">{closes}</span>
          <span className="max-sm:hidden!">
            {isOfProgram ? "Asked for" : "Written"} by {view.proposedBy.name}{" "}
            {formatAfterWord(view.createdAt, time)}
          </span>
        </FactLine>
        <h1 className={PAGE_TITLE}>
          Let {key.name} pay {view.destinationName} by itself?
        </h1>
        <div className="mt-5">
          <Envelope view={view} editHref={mayChange ? view.narrowHref : null} />
        </div>
        {view.purpose === null ? null : (
          <p className="mt-2.5 text-sm text-ink-3">
            Purpose: <bdi>{view.purpose}</bdi>. {isOfProgram ? "Its own words, no limit" : "No limit"}; Sluice
            cannot check what a payment is for.
          </p>
        )}
        {mayChange ? (
          <p className="mt-4">
            <Link className={buttonClass({ kind: "outlined", size: "small" })} href={view.narrowHref}>
              {isOfProgram ? "Narrow it" : "Change it"}
            </Link>
          </p>
        ) : null}
        <AtWorst view={view} />
        <Backtest backtest={view.backtest} time={time} />
        <WhatItAskedFor view={view} />
      </div>
      <SideColumn as="div" gap="wide">
        <SignMandate
          signing={view.signing}
          isOfProgram={isOfProgram}
          canDecide={viewer.canDecide}
          limits={<Limits view={view} />}
          worst={view.worst.brief}
          closes={closes}
        />
        <Always view={view} />
      </SideColumn>
    </div>
  );
}

function Limits({ view: { limits } }: { view: AskedMandateView }) {
  return (
    <DefinitionList columns="values" gap="narrow" className="mb-4 border-y border-rule py-3.5">
      {limits.map(({ label, value }) => (
        <div key={label} className="contents">
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </DefinitionList>
  );
}

const WORST =
  "mt-4 font-display text-[19px]/7.25 tracking-[-0.014em] text-ink-2 text-pretty wrap-anywhere [&_b]:font-[550] [&_b]:text-ink";

function AtWorst({ view }: { view: AskedMandateView }) {
  const { worst, checks, backtest } = view;
  return (
    <Section id="worst" title="At worst" fact="Without asking anyone">
      <p className={WORST}>
        <Phrases phrases={worst.says} /> <Together view={view} />
      </p>
      <div className="mt-2">
        <Checklist>
          {checks.map(({ outcome, title, text, result }) => (
            <CheckItem
              key={title}
              icon={
                outcome === "CLEAR" ? (
                  <Check className="text-teal" role="img" aria-label="Clear" />
                ) : (
                  <Flag className="text-ink-2" role="img" aria-label="Review" />
                )
              }
              title={title}
              {...(result !== null && { result })}
            >
              <p>{text}</p>
            </CheckItem>
          ))}
          {backtest.denied.length === 0 ? null : <Denied view={view} />}
        </Checklist>
      </div>
    </Section>
  );
}

/** `Together with what it can only ask for, still at most $38,265.75 in a day: …` */
function Together({ view: { worst } }: { view: AskedMandateView }) {
  const { totalInCents, isUnchanged, sources } = worst.together;
  if (totalInCents === null) {
    return "Together with what it can only ask for, the most in a day is unknown, because a balance is.";
  }
  const held = sources.map(({ name, availableInCents }) =>
    availableInCents === null
      ? `what ${name} holds`
      : `the same ${formatCents(availableInCents)} that ${name} holds`,
  );
  return (
    <>
      Together with what it can only ask for, {isUnchanged ? "still " : null}at most{" "}
      <b>{formatCents(totalInCents)} in a day</b>
      {isUnchanged ? `: this money comes out of ${joinWords(held)}.` : "."}
    </>
  );
}

/** Listed before they are only counted. */
const NAMED_DENIALS = 3;

function Denied({ view: { backtest } }: { view: AskedMandateView }) {
  const { denied, accepted } = backtest;
  const who = denied.every(({ byViewer }) => byViewer) ? "You denied" : "People denied";
  const more = denied.length - NAMED_DENIALS;
  return (
    <CheckItem
      icon={<Flag className="text-ink-2" role="img" aria-label="Review" />}
      title={`${who} ${denied.length} that it would have accepted`}
      result={`${denied.length} of ${accepted.count}`}
    >
      {denied.slice(0, NAMED_DENIALS).map(({ on, amountInCents, note }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: denials of one day and amount have no other identity.
        <p key={at}>
          {dateWords(on)}, {formatCents(amountInCents)}
          {note === null ? "." : `: “${note}”`}
        </p>
      ))}
      {more > 0 ? <p>And {more} more.</p> : null}
    </CheckItem>
  );
}

const DIFF =
  "text-base/5.5 [&_li]:grid [&_li]:grid-cols-[128px_minmax(0,1fr)] [&_li]:gap-4 [&_li]:py-2.75 [&_li]:border-b [&_li]:border-rule [&_li]:wrap-anywhere [&_li:last-child]:border-b-0 [&_del]:text-ink-3 [&_del]:decoration-1 [&_ins]:rounded-[1px] [&_ins]:bg-water-3 [&_ins]:font-medium [&_del+ins]:mx-1 [&_ins]:no-underline [&_ins]:[box-shadow:0_0_0_3px_var(--color-water-3)] [&_ins]:[box-decoration-break:clone] max-sm:[&_li]:grid-cols-[96px_minmax(0,1fr)]";

function WhatItAskedFor({ view }: { view: AskedMandateView }) {
  const { changes, reason, isOfProgram, key } = view;
  if (!isOfProgram) return null;
  return (
    <Section id="asked" title="What it asked for" fact={narrowedWords(changes.length)}>
      {changes.length === 0 ? (
        <p className="mt-3.5 text-ink-2">Just this. Nobody narrowed it yet.</p>
      ) : (
        <ul className={DIFF}>
          {changes.map(({ label, was, now }) => (
            <li key={label}>
              <span className="text-ink-3">{label}</span>
              <div>
                <del>{was ?? "No limit"}</del> <ins>{now ?? "No limit"}</ins>
              </div>
            </li>
          ))}
        </ul>
      )}
      {reason === null ? null : (
        <div className="mt-5">
          <Quote words={reason} />
          <p className="mt-2 text-sm text-ink-3">
            Reason of <span className={KEY_NAME}>{key.name}</span>, word for word
          </p>
        </div>
      )}
    </Section>
  );
}

function narrowedWords(count: number): string | null {
  if (count === 0) return null;
  return count === 1 ? "1 limit was narrowed" : `${count} limits were narrowed`;
}

function Always({ view: { otherDeciders, viewer } }: { view: AskedMandateView }) {
  const who = joinWords(viewer.canDecide ? ["You", ...otherDeciders.map(firstName)] : otherDeciders, "or");
  return (
    <section aria-labelledby="always">
      <h2 className="text-base font-semibold" id="always">
        Always
      </h2>
      <ul className={POWER_LIST}>
        {[
          otherDeciders.length > 0 || !viewer.canDecide
            ? `${who} can end it with one tap`
            : "You can end it with one tap",
          "Closing the gates stops it",
          "Its limits never rise by themselves",
          "It stops if the bank account changes",
          "Each use names this mandate",
        ].map((text) => (
          <li key={text}>
            <Check />
            <span>{text}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const firstName = (name: string) => name.split(" ")[0] ?? name;
