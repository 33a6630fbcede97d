import { Check } from "lucide-react";
import { MandateHistory } from "@/app/mandates/[id]/_components/mandate-history";
import { SignMandate } from "@/app/mandates/[id]/_components/sign-mandate";
import { StandingNote } from "@/app/mandates/[id]/_components/standing-note";
import { UsesTable, WaitedTable } from "@/app/mandates/[id]/_components/uses-tables";
import { COLUMNS } from "@/components/layout/columns";
import { Crumb } from "@/components/layout/crumb";
import { PageActions, PageHeadRow } from "@/components/layout/page-head";
import { SECTION_HEAD, Section } from "@/components/layout/section";
import { SideColumn } from "@/components/layout/side-column";
import { EndMandate } from "@/components/parts/mandates/end-mandate";
import { MandateStatus } from "@/components/parts/mandates/mandate-status";
import { levelName, levelWords, percentOf } from "@/components/parts/mandates/mandate-words";
import { formatInSentence, formatMoment } from "@/components/time/format-instant";
import { FactLine } from "@/components/ui/fact-line";
import { Gauge } from "@/components/ui/gauge";
import { POWER_LIST } from "@/components/ui/power-list";
import {
  KEY_NAME,
  MONO,
  PAGE_TITLE,
  SECTION_TITLE,
  SUBLINE,
  WHOLE_SENTENCE,
} from "@/components/ui/text-styles";
import { formatCents } from "@/lib/contract/format-cents";
import type { UsedMandateView } from "@/lib/views/mandates/read-mandate-page";
import { dateWords } from "@/lib/words/rules/number-words";
import { joinWords } from "@/lib/words/rules/phrases";

/** A mandate that was signed, denied or expired: what is left of it, what it moved, and how it ends. */
export function MandatePage({ view }: { view: UsedMandateView }) {
  const { key, standing, viewer, time, signing } = view;
  const isAlive = !PAST.has(standing.kind);
  const wasUsed = view.signedAt !== null;
  return (
    <>
      <Crumb
        wraps
        ways={[
          { href: "/settings/api-keys", label: "API keys" },
          { href: key.href, label: key.name },
        ]}
        here={view.destinationName}
      />
      <PageHeadRow className="mb-6">
        <div>
          <h1 className={`${PAGE_TITLE} wrap-anywhere`}>{view.title}</h1>
          <FactLine className="mt-2">
            <span role="status">
              <MandateStatus standing={standing} time={time} />
            </span>
            <span>{signedWords(view)}</span>
            <span className={MONO} title={view.id}>
              {view.shortId}
            </span>
          </FactLine>
        </div>
        {isAlive && viewer.canDecide ? (
          <PageActions>
            <EndMandate mandateId={view.id} />
          </PageActions>
        ) : null}
      </PageHeadRow>
      <StandingNote view={view} />
      <p className={`${WHOLE_SENTENCE} wrap-anywhere`}>
        <span className={KEY_NAME}>{key.name}</span>{" "}
        {view.sentence.map(({ text, part }, at) =>
          // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a sentence never reorder.
          part !== null && STRONG.has(part) ? <b key={at}>{text}</b> : <span key={at}>{text}</span>,
        )}
      </p>
      {view.purpose === null ? null : (
        <p className="mt-2.5 text-sm text-ink-3">
          Purpose: <bdi>{view.purpose}</bdi>
        </p>
      )}
      <div className={`${COLUMNS} mt-10`}>
        <div className="[&>section:first-child]:mt-0">
          {isAlive ? <Left view={view} /> : null}
          {wasUsed ? <UsesTable view={view} /> : null}
          {view.waited.length > 0 ? <WaitedTable view={view} /> : null}
          {!wasUsed ? <NeverUsed /> : null}
        </div>
        <SideColumn gap="wide">
          {signing.isOpen ? (
            <SignMandate
              signing={signing}
              canDecide={viewer.canDecide}
              isOfProgram={false}
              isAgain
              limits={null}
              worst={`Signed again, ${key.name} may use it at once`}
              closes=""
            />
          ) : null}
          {isAlive ? <EndingIt view={view} /> : null}
          {isAlive ? <StopsByItself view={view} /> : null}
          <MandateHistory view={view} />
        </SideColumn>
      </div>
    </>
  );
}

const PAST: ReadonlySet<string> = new Set(["EXPIRED", "OVER", "ENDED", "DENIED"]);
const STRONG: ReadonlySet<string> = new Set(["AMOUNT", "DESTINATIONS", "MONTH", "UNTIL"]);

function signedWords({ signedAt, history, time, createdAt, proposedBy }: UsedMandateView): string {
  if (signedAt === null) return `Asked for by ${proposedBy.name} ${formatInSentence(createdAt, time)}`;
  const signers = history.steps.filter(({ kind }) => kind === "SIGNED");
  const names = [...new Set(signers.map(({ byViewer, byName }) => (byViewer ? "you" : byName)))];
  const who = names.length > 0 ? ` by ${joinWords(names)}` : "";
  return `Signed${who} ${formatInSentence(signedAt, time)}`;
}

function NeverUsed() {
  return (
    <Section id="uses" title="Uses" className="mt-0">
      <p className="mt-3.5 text-ink-2">It was never signed, so nothing moved under it.</p>
    </Section>
  );
}

/** A level for each limit: the water is what is left. */
function Left({ view: { levels, time } }: { view: UsedMandateView }) {
  return (
    <Section id="left" title="What is left" fact={formatMoment(time.nowAt, time)} className="mt-0">
      <ul className="[&>li]:grid [&>li]:grid-cols-[148px_minmax(0,1fr)_190px] [&>li]:items-center [&>li]:gap-x-6 [&>li]:border-b [&>li]:border-rule [&>li]:py-3.5 [&>li:last-child]:border-b-0 max-sm:[&>li]:grid-cols-[minmax(0,1fr)_auto] max-sm:[&>li]:gap-x-4 max-sm:[&>li]:gap-y-2">
        {levels.map((level) => {
          const { left, of } = levelWords(level);
          return (
            <li key={level.part}>
              <b className="font-medium">{levelName(level, time)}</b>
              <div className="max-sm:order-last max-sm:col-span-full">
                <Gauge percent={percentOf(level)} tone="goal" />
              </div>
              <span className="text-right">
                <b className="font-medium">{left} left</b>
                <span className={SUBLINE}>of {of}</span>
              </span>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}

function EndingIt({ view }: { view: UsedMandateView }) {
  const { otherDeciders, viewer, onItsWayInCents, key } = view;
  const others = otherDeciders.map((name) => name.split(" ")[0] ?? name);
  const who = joinWords(viewer.canDecide ? ["You", ...others] : others, "or");
  return (
    <section aria-labelledby="ending">
      <div className={SECTION_HEAD}>
        <h2 className={SECTION_TITLE} id="ending">
          Ending it
        </h2>
      </div>
      <p className="mt-3.5 text-ink-2">
        Ends at once, without a confirmation. {who} can do it.{" "}
        {onItsWayInCents > 0 ? `${formatCents(onItsWayInCents)} is on its way and still arrives. ` : null}
        From then on each proposal of {key.name} waits.
      </p>
    </section>
  );
}

function StopsByItself({ view }: { view: UsedMandateView }) {
  const { until, maximumUses, keepsInCents, sourceName, payeeNames } = view;
  const uses =
    maximumUses === null ? "" : `, or after ${maximumUses === 1 ? "1 use" : `${maximumUses} uses`}`;
  const items = [
    `After ${dateWords(until)}${uses}`,
    keepsInCents === null ? null : `While ${sourceName} would hold less than ${formatCents(keepsInCents)}`,
    payeeNames.length === 0 ? null : `If the bank account of ${joinWords(payeeNames, "or")} changes`,
    "If who must approve changes, or a signer no longer decides",
    "While the gates are closed",
    "If the key is revoked",
  ];
  return (
    <section aria-labelledby="stops">
      <h2 className="text-base font-semibold" id="stops">
        Stops by itself
      </h2>
      <ul className={POWER_LIST}>
        {items.map((text) =>
          text === null ? null : (
            <li key={text}>
              <Check />
              <span>{text}</span>
            </li>
          ),
        )}
      </ul>
    </section>
  );
}
