import { FlaskConical } from "lucide-react";
import { BookTable } from "@/app/transfers/_components/books-table";
import { lifeTitle } from "@/app/transfers/_components/life-timeline";
import { movementTitle } from "@/app/transfers/_components/movement-detail";
import { Crumb } from "@/components/layout/crumb";
import { PageActions, PageHeadRow } from "@/components/layout/page-head";
import { SECTION_HEAD } from "@/components/layout/section";
import { Table } from "@/components/layout/table";
import { Amount } from "@/components/money/amount";
import { PrintButton } from "@/components/parts/accounts/print-button";
import { methodWords } from "@/components/parts/approvals/history";
import { timeZoneWords } from "@/components/parts/settings/time-zone-words";
import { formatDate, formatDayAndClock } from "@/components/time/format-instant";
import { DefinitionList } from "@/components/ui/definition-list";
import { PAGE_LEDE, PAGE_TITLE } from "@/components/ui/text-styles";
import type { TimeContext } from "@/lib/contract/time-context";
import { returnWords } from "@/lib/contract/transfer";
import type { LifeStepView, ReceiptView } from "@/lib/views/movements/read-transfer-detail";

/** The receipt of one transfer. It may be printed, so dates have years and nobody is "you". */
export function Receipt({ view }: { view: ReceiptView }) {
  const { transfer } = view;
  const { time } = transfer;
  return (
    <div className="[&_section+section]:mt-8">
      <Crumb
        ways={[
          { href: "/transfers", label: "Movements" },
          { href: transfer.pageHref, label: transfer.shortId },
        ]}
        here="Receipt"
      />
      <PageHeadRow>
        <div>
          <p className="text-sm text-ink-3">{view.organizationName}</p>
          <h1 className={PAGE_TITLE}>Receipt for {movementTitle(transfer)}</h1>
          <p className={PAGE_LEDE}>
            {standing(transfer)} {formatDayAndClock(transfer.statusAt, time)}.
          </p>
        </div>
        <PageActions>
          <PrintButton />
        </PageActions>
      </PageHeadRow>
      <Facts view={view} />
      <Life life={transfer.life} time={time} />
      {transfer.books.map((line) => (
        <section key={line.entryId} aria-labelledby={`books-${line.entryId}`}>
          <div className={SECTION_HEAD}>
            <h2 className="text-base font-semibold" id={`books-${line.entryId}`}>
              {line.kind === "RETURN" ? "Reversal" : "Ledger entries"}
            </h2>
            <p>{formatDayAndClock(line.bookedAt, time)}</p>
          </div>
          <BookTable line={line} />
        </section>
      ))}
      <p className="text-sm text-ink-3 mt-6">Dates and times are in {timeZoneWords(time.timeZone, time)}.</p>
      {view.isSandbox ? (
        <p
          className="flex items-center gap-2 mt-6 text-[13px] text-ink-3 [&_svg]:size-4"
          data-says-sandbox=""
        >
          <FlaskConical />
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
    <DefinitionList columns="longValues" breaks="anywhere" className="items-baseline mb-8">
      <dt>Amount</dt>
      <dd>
        <Amount cents={transfer.amountInCents} size="xl" />
      </dd>
      {facts.map(([name, value]) =>
        value === null ? null : (
          <div key={name} className="contents">
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </DefinitionList>
  );
}

function Life({ life, time }: { life: readonly LifeStepView[]; time: TimeContext }) {
  return (
    <section aria-labelledby="receipt-life">
      <div className={SECTION_HEAD}>
        <h2 className="text-base font-semibold" id="receipt-life">
          Timeline
        </h2>
      </div>
      <Table
        className="mt-4 [&_td:not(.number)]:wrap-anywhere print:[&_tbody_:is(th,td)]:py-1.5"
        caption="Events in order"
        rows={life}
        keyOf={({ kind }) => kind}
        columns={[
          {
            head: "When",
            className: "text-sm text-ink-3 w-[1%] whitespace-nowrap",
            cell: (step) => momentOf(step, time),
          },
          { head: "What", cell: (step) => `${lifeTitle(step)}${moreOf(step, time)}` },
        ]}
      />
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
