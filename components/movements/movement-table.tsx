import { Clock, FlaskConical } from "lucide-react";
import type { ReactNode } from "react";
import { ApprovalStatusChip } from "@/components/approvals/approval-status";
import { Amount } from "@/components/money/amount";
import { foreseenTitle, returnWords } from "@/components/movements/life-timeline";
import { rowLinkId } from "@/components/movements/list-words";
import { Flow, type SluiceState, sluiceState } from "@/components/sluice/row-sluice";
import { formatDate, formatInSentence, formatListMoment } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { Ledger, linkRowClass } from "@/components/ui/ledger";
import { Link } from "@/components/ui/link";
import { Status } from "@/components/ui/status";
import { KEY_NAME, LINK, MONO, SUBLINE } from "@/components/ui/text-styles";
import type {
  MovementAbout,
  MovementListView,
  MovementRequester,
  MovementRowView,
  MovementStatus,
} from "@/lib/contract/views/movements-view";
import { CATEGORY_WORDS } from "@/lib/contract/views/profile-view";
import type { TimeContext } from "@/lib/contract/views/time-context";

interface MovementTableProps {
  view: Pick<MovementListView, "rows" | "time" | "viewer">;
  caption: string;
}

/** The table of each list of movements. On phones the status is below the movement. */
export function MovementTable({ view, caption }: MovementTableProps) {
  return (
    <Ledger className="[--flow-from:112px] [&_td]:align-top [&_tr]:relative [&_td_.status]:-my-0.5 [&_td_.status]:mx-0">
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">When</th>
          <th scope="col">Movement</th>
          <th scope="col" className="max-sm:hidden max-lg:in-[[data-split]]:hidden">
            Status
          </th>
          <th scope="col" className="number">
            Amount
          </th>
        </tr>
      </thead>
      <tbody>
        {view.rows.map((row) => (
          <MovementRow key={row.id} row={row} time={view.time} canDecide={view.viewer.canDecide} />
        ))}
      </tbody>
    </Ledger>
  );
}

function MovementRow({
  row,
  time,
  canDecide,
}: {
  row: MovementRowView;
  time: TimeContext;
  canDecide: boolean;
}) {
  const status = (
    <MovementStatusChip status={row.status} canDecide={canDecide} isAssistant={row.isAssistant} />
  );
  const flow = (
    <Flow from={row.fromName} to={row.toName} state={movementSluice(row.status)} layout="column" />
  );
  return (
    <tr className={linkRowClass({ isOpen: row.isOpen, isWide: true })}>
      <td className="text-ink-3 max-sm:whitespace-nowrap lg:whitespace-nowrap">
        <Moment at={row.at} time={time} format={formatListMoment} />
      </td>
      <td>
        {/* Beside the list where there is room, on a page of its own where there is none. */}
        <Link
          id={rowLinkId(row.id)}
          className="max-sm:hidden! after:absolute after:inset-0 focus-visible:outline-offset-2"
          href={row.openHref}
          scroll={false}
          aria-current={row.isOpen ? "true" : undefined}
        >
          {flow}
        </Link>
        <Link
          className="sm:hidden! print:hidden! after:absolute after:inset-0 focus-visible:outline-offset-2"
          href={row.pageHref}
        >
          {flow}
        </Link>
        <AboutLine about={row.about} time={time} />
        {row.canCancel ? (
          <Link
            className={`${LINK} relative z-1 text-[13px] max-sm:inline-block max-sm:py-2 max-sm:px-0`}
            href={row.pageHref}
          >
            Cancel<span className="sr-only"> this transfer</span>
          </Link>
        ) : null}
        <span className="hidden mt-1.5 [&>span]:-my-0.5 max-sm:block max-lg:in-[[data-split]]:block">
          {status}
        </span>
      </td>
      <td className="[&>span]:-my-0.5 max-sm:hidden max-lg:in-[[data-split]]:hidden">{status}</td>
      <td className="number">
        {row.flow === "IN" ? (
          <Amount cents={row.amountInCents} plus="whenPositive" isIn />
        ) : (
          <Amount cents={row.amountInCents} quiet={row.flow === "QUIET"} />
        )}
      </td>
    </tr>
  );
}

type AboutOf<Kind extends MovementAbout["kind"]> = Extract<MovementAbout, { kind: Kind }>;

/** The line below a movement: anything unusual, or its origin. */
function AboutLine({ about, time }: { about: MovementAbout; time: TimeContext }) {
  return <span className={`${SUBLINE} mt-px wrap-anywhere`}>{wordsOf(about, time)}</span>;
}

function wordsOf(about: MovementAbout, time: TimeContext): ReactNode {
  switch (about.kind) {
    case "DRY_RUN":
      return (
        <>
          Dry run {about.ruleName === null ? <By by={about.by} /> : <>of {about.ruleName}</>}
          {about.foreseen && about.foreseen.outcome !== "GOES_THROUGH"
            ? `. ${foreseenTitle(about.foreseen)}: ${about.foreseen.sentence}`
            : null}
        </>
      );
    case "ASKED":
      return asked(about);
    case "RULE":
      return withLabel(<>{about.ruleName}, by rule</>, about.label);
    case "DEPOSIT":
      return about.isCheck ? "Check deposit" : "Deposit";
    case "LEAVES":
      return about.at === null || about.at <= time.nowAt
        ? "Going to the bank now."
        : `Goes to the bank ${formatInSentence(about.at, time)}.`;
    case "EXPECTED":
      return `At the bank, expected ${formatDate(about.on, time)}`;
    case "PROBLEM":
      return about.sentence;
    case "RETURNED":
      return about.code === null
        ? "Returned by the bank"
        : `Returned by the bank, ${returnWords(about.code)}`;
    case "DENIED":
      return `“${about.note}”`;
    case "CARD":
      return cardWords(about);
    case "OUTSIDE":
      return outsideWords(about);
  }
}

function asked({ by, label }: AboutOf<"ASKED">): ReactNode {
  if (by.kind === "BANK") return "By the bank";
  return withLabel(
    <>
      {by.kind === "MEMBER" ? "Moved " : "Requested "}
      <By by={by} />
    </>,
    label,
  );
}

function withLabel(words: ReactNode, label: string | null): ReactNode {
  if (label === null) return words;
  return (
    <>
      {words}, <span className={MONO}>{label}</span>
    </>
  );
}

/** `by claude-bookkeeping`. Assistants are labeled, since they choose their own names. */
function By({ by }: { by: MovementRequester }) {
  if (by.kind === "MEMBER") return <>by {by.name}</>;
  return (
    <>
      by {by.kind === "ASSISTANT" ? "the assistant " : null}
      <span className={`${KEY_NAME} sm:max-lg:wrap-anywhere`}>{by.name}</span>
    </>
  );
}

const CARD_KIND_WORDS: Record<AboutOf<"CARD">["subtype"], string> = {
  PURCHASE: "",
  REFUND: "Refund, ",
  PAYOUT: "Payout, counts as income, ",
};

function cardWords({ subtype, cardName, numberEnding }: AboutOf<"CARD">): string {
  return `${CARD_KIND_WORDS[subtype]}${cardName}, ••••${numberEnding}`;
}

function outsideWords({ category, isOwnTransfer, isIncome }: AboutOf<"OUTSIDE">): string {
  if (isOwnTransfer) return "Counterpart of your own transfer";
  if (isIncome) return "Incoming";
  return category === null ? "Uncategorized" : CATEGORY_WORDS[category];
}

interface MovementStatusChipProps {
  status: MovementStatus;
  canDecide: boolean;
  isAssistant: boolean;
}

/** The status of a movement. */
export function MovementStatusChip({ status, ...rest }: MovementStatusChipProps) {
  if (status === "DRY_RUN") {
    return (
      <Status tone="mute" icon={<FlaskConical />}>
        Dry run
      </Status>
    );
  }
  if (status === "PENDING") {
    return (
      <Status tone="teal" icon={<Clock />}>
        Not posted yet
      </Status>
    );
  }
  return <ApprovalStatusChip status={status} {...rest} />;
}

/** Dry runs are drawn dashed, without water. */
export function movementSluice(status: MovementStatus): SluiceState {
  if (status === "DRY_RUN") return "sim";
  return status === "PENDING" ? "open" : sluiceState(status);
}
