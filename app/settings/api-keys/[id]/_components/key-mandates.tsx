import { Plus } from "lucide-react";
import { LinkedTable } from "@/components/layout/linked-table";
import { Section } from "@/components/layout/section";
import { EndMandate } from "@/components/parts/mandates/end-mandate";
import { levelName, percentOf, standingWords, usesWords } from "@/components/parts/mandates/mandate-words";
import { Flow } from "@/components/sluice/row-sluice";
import { formatDate } from "@/components/time/format-instant";
import { buttonClass } from "@/components/ui/button";
import { Gauge } from "@/components/ui/gauge";
import { Link } from "@/components/ui/link";
import { Note } from "@/components/ui/note";
import { LINK, SUBLINE } from "@/components/ui/text-styles";
import { formatCents } from "@/lib/contract/format-cents";
import { keyMandatesHref, newMandateHref } from "@/lib/contract/hrefs";
import type { TimeContext } from "@/lib/contract/time-context";
import type { KeyView } from "@/lib/views/keys/get-key";
import type { MandateRowView } from "@/lib/views/mandates/list-key-mandates";

/** What a key may do by itself: how far it may still go, until when, and its end. */
export function KeyMandates({ view: { key, mandates, viewer, time } }: { view: KeyView }) {
  const { inForce, waiting, pastCount, mayHave, toRenew } = mandates;
  const inUseCount = inForce.filter(({ standing }) => standing.kind === "IN_USE").length;
  if (!mayHave && inForce.length + waiting.length + pastCount === 0) return null;
  return (
    <Section id="mandates" title="Mandates" fact={inUseCount === 0 ? "None in use" : `${inUseCount} in use`}>
      {inForce.length === 0 ? (
        <p className="mt-3.5 text-ink-2">
          Everything it asks for waits for a person. A mandate lets it move small, recurring amounts by
          itself, within limits that you sign once.
        </p>
      ) : (
        <MandatesTable rows={inForce} canEnd={viewer.canDecide} time={time} />
      )}
      <p className="mt-3.5 flex flex-wrap items-center gap-x-5 gap-y-2">
        {mayHave && viewer.canDecide ? (
          <Link className={buttonClass({ kind: "outlined", size: "small" })} href={newMandateHref(key.id)}>
            <Plus />
            New mandate
          </Link>
        ) : null}
        {waiting.map((row) => (
          <Link key={row.id} className={LINK} href={row.href}>
            {waiting.length === 1 ? "1 waits for signatures" : `${row.destinationName} waits for signatures`}
          </Link>
        ))}
        {pastCount > 0 ? (
          <Link className={LINK} href={keyMandatesHref(key.id)}>
            {pastCount} ended
          </Link>
        ) : null}
      </p>
      {toRenew.length > 0 ? (
        <div className="mt-3.5 max-w-[68ch]">
          <Note>
            The key that this one replaced had{" "}
            {toRenew.length === 1 ? "a mandate" : `${toRenew.length} mandates`}. This one has{" "}
            {toRenew.length === 1 ? "it" : "them"} once signed again, counted from zero.
            <ul className="mt-1">
              {toRenew.map(({ id, href, sourceName, destinationName, brief }) => (
                <li key={id}>
                  {viewer.canDecide ? (
                    <Link className={LINK} href={href}>
                      {sourceName} to {destinationName}
                    </Link>
                  ) : (
                    `${sourceName} to ${destinationName}`
                  )}
                  <span className={SUBLINE}>{brief}</span>
                </li>
              ))}
            </ul>
          </Note>
        </div>
      ) : null}
    </Section>
  );
}

interface MandatesTableProps {
  rows: readonly MandateRowView[];
  canEnd: boolean;
  time: TimeContext;
}

function MandatesTable({ rows, canEnd, time }: MandatesTableProps) {
  return (
    <LinkedTable
      caption="Mandates"
      rows={rows}
      link={({ href }) => href}
      columns={[
        {
          head: "What it may do by itself",
          header: true,
          cell: ({ sourceName, destinationName }) => (
            <Flow from={sourceName} to={destinationName} state="queued" layout="wrapping" />
          ),
          about: (row) => (
            <span className={SUBLINE}>
              {row.brief}
              {row.standing.kind === "IN_USE" ? null : `. ${standingWords(row.standing, time)}`}
            </span>
          ),
        },
        {
          head: "Left",
          phone: "BELOW",
          cell: (row) => <Left row={row} time={time} />,
          below: (row) => leftWords(row, time),
        },
        {
          head: "Until",
          phone: "BELOW",
          columnClass: "whitespace-nowrap text-ink-2",
          cell: ({ until }) => formatDate(until, time),
          below: ({ until }) => `Until ${formatDate(until, time)}`,
        },
        canEnd && {
          head: "End",
          isHeadHidden: true,
          kind: "NUMBER",
          cell: ({ id, destinationName }) => <EndMandate mandateId={id} rowName={destinationName} />,
        },
      ]}
    />
  );
}

function Left({ row, time }: { row: MandateRowView; time: TimeContext }) {
  if (row.level === null) return null;
  return (
    <div className="w-35 max-w-full">
      <Gauge percent={percentOf(row.level)} tone="goal" />
      <span className={`${SUBLINE} mt-1.5`}>{leftWords(row, time)}</span>
    </div>
  );
}

/** `$1,140.00 of $1,500.00 in December` */
function leftWords({ level }: MandateRowView, time: TimeContext): string | null {
  if (level === null) return null;
  if (level.part === "USES" || level.part === "PERIOD_USES")
    return `${level.left} of ${usesWords(level.of)} left`;
  const span = levelName(level, time);
  const where = level.part === "MONTH" ? `in ${span}` : `${span.charAt(0).toLowerCase()}${span.slice(1)}`;
  return `${formatCents(level.left)} of ${formatCents(level.of)} ${where}`;
}
