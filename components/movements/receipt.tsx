import { ChevronRight, FlaskConical } from "lucide-react";
import { PrintButton } from "@/components/accounts/print-button";
import { methodWords } from "@/components/approvals/history";
import { Amount } from "@/components/money/amount";
import { BookTable } from "@/components/movements/books-table";
import { lifeTitle, returnWords } from "@/components/movements/life-timeline";
import { movementTitle } from "@/components/movements/movement-detail";

import { timeZoneWords } from "@/components/settings/time-zone-words";
import { formatDate, formatDayAndClock } from "@/components/time/format-instant";
import { Link } from "@/components/ui/link";
import type { LifeStepView, ReceiptView } from "@/lib/contract/views/movements-view";
import type { TimeContext } from "@/lib/contract/views/time-context";

/** The receipt of one transfer. It may be printed, so dates have years and nobody is "you". */
export function Receipt({ view }: { view: ReceiptView }) {
  const { transfer } = view;
  const { time } = transfer;
  return (
    <div className="stmt rcpt">
      <p className="crumb">
        <Link href="/transfers">Movements</Link>
        <ChevronRight className="ic" />
        <Link href={transfer.pageHref}>{transfer.shortId}</Link>
        <ChevronRight className="ic" />
        <span>Receipt</span>
      </p>
      <div className="page-h">
        <div>
          <p className="lbl">{view.organizationName}</p>
          <h1 className="h1">Receipt for {movementTitle(transfer)}</h1>
          <p className="lede">
            {standing(transfer)} {formatDayAndClock(transfer.statusAt, time)}.
          </p>
        </div>
        <div className="page-a">
          <PrintButton />
        </div>
      </div>
      <Facts view={view} />
      <Life life={transfer.life} time={time} />
      {transfer.books.map((line) => (
        <section key={line.entryId} aria-labelledby={`books-${line.entryId}`}>
          <div className="sec-h">
            <h2 className="h3" id={`books-${line.entryId}`}>
              {line.kind === "RETURN" ? "Reversal" : "Ledger entries"}
            </h2>
            <p>{formatDayAndClock(line.bookedAt, time)}</p>
          </div>
          <BookTable line={line} />
        </section>
      ))}
      <p className="meta rcpt-z">Dates and times are in {timeZoneWords(time.timeZone, time)}.</p>
      {view.isSandbox ? (
        <p className="stmt-sbx">
          <FlaskConical className="ic" />
          Sandbox bank: no real money. This is not a bank document.
        </p>
      ) : null}
    </div>
  );
}

function standing({ status }: ReceiptView["transfer"]): string {
  return status === "RETURNED" ? "Returned by the bank" : "Settled";
}

function Facts({ view: { transfer } }: { view: ReceiptView }) {
  const facts: [string, string | null][] = [
    ["From", transfer.from.name],
    ["To", transfer.to.name],
    ["ACH label", transfer.label],
    ["For", transfer.reason],
    ["Rule", transfer.rule?.name ?? null],
    ["Transfer", transfer.id],
    ["Bank reference", transfer.bankReferences.join(", ") || null],
  ];
  return (
    <dl className="dl rcpt-f">
      <dt>Amount</dt>
      <dd>
        <Amount cents={transfer.amountInCents} size="xl" />
      </dd>
      {facts.map(([name, value]) =>
        value === null ? null : (
          <div key={name} className="rcpt-r">
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}

function Life({ life, time }: { life: readonly LifeStepView[]; time: TimeContext }) {
  return (
    <section aria-labelledby="receipt-life">
      <div className="sec-h">
        <h2 className="h3" id="receipt-life">
          Timeline
        </h2>
      </div>
      <table className="ledger tight stmt-t">
        <caption className="vh">Events in order</caption>
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">What</th>
          </tr>
        </thead>
        <tbody>
          {life.map((step) => (
            <tr key={step.kind}>
              <td className="meta stmt-d">{momentOf(step, time)}</td>
              <td>
                {lifeTitle(step)}
                {moreOf(step, time)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function momentOf(step: LifeStepView, time: TimeContext): string {
  return "at" in step && step.at !== null ? formatDayAndClock(step.at, time) : "";
}

function moreOf(step: LifeStepView, time: TimeContext): string {
  if (step.kind === "APPROVED") return step.method === null ? "" : `, ${methodWords(step.method)}`;
  if (step.kind === "RETURNED") return step.code === null ? "" : `, ${returnWords(step.code)}`;
  if (step.kind === "AT_THE_BANK" && step.expectedOn !== null) {
    return `, expected ${formatDate(step.expectedOn, time)}`;
  }
  return "";
}
