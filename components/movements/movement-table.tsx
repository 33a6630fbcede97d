import { Clock, FlaskConical } from "lucide-react";
import type { ReactNode } from "react";
import { ApprovalStatusChip } from "@/components/approvals/approval-status";
import { Amount } from "@/components/money/amount";
import { foreseenTitle, returnWords } from "@/components/movements/life-timeline";
import { rowLinkId } from "@/components/movements/list-words";
import { Flow, type SluiceState, sluiceState } from "@/components/sluice/row-sluice";
import { formatDate, formatInSentence, formatListMoment } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { Link } from "@/components/ui/link";
import { Status } from "@/components/ui/status";
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
    <table className="ledger tight mv">
      <caption className="vh">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">When</th>
          <th scope="col">Movement</th>
          <th scope="col" className="mv-sc">
            Status
          </th>
          <th scope="col" className="num">
            Amount
          </th>
        </tr>
      </thead>
      <tbody>
        {view.rows.map((row) => (
          <MovementRow key={row.id} row={row} time={view.time} canDecide={view.viewer.canDecide} />
        ))}
      </tbody>
    </table>
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
  const flow = <Flow from={row.fromName} to={row.toName} state={movementSluice(row.status)} />;
  return (
    <tr className={row.isOpen ? "is-link is-sel" : "is-link"}>
      <td className="dim nowrap">
        <Moment at={row.at} time={time} format={formatListMoment} />
      </td>
      <td>
        {/* Beside the list where there is room, on a page of its own where there is none. */}
        <Link
          id={rowLinkId(row.id)}
          className="mv-l hide-s"
          href={row.openHref}
          scroll={false}
          aria-current={row.isOpen ? "true" : undefined}
        >
          {flow}
        </Link>
        <Link className="mv-l only-s" href={row.pageHref}>
          {flow}
        </Link>
        <AboutLine about={row.about} time={time} />
        {row.canCancel ? (
          <Link className="link mv-c" href={row.pageHref}>
            Cancel<span className="vh"> this transfer</span>
          </Link>
        ) : null}
        <span className="mv-su">{status}</span>
      </td>
      <td className="mv-sc">{status}</td>
      <td className="num">
        {row.flow === "IN" ? (
          <span className="amt-in">
            <Amount cents={row.amountInCents} plus="whenPositive" />
          </span>
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
  return <span className="meta blk mv-b">{wordsOf(about, time)}</span>;
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
      {words}, <span className="mono">{label}</span>
    </>
  );
}

/** `by claude-bookkeeping`. Assistants are labeled, since they choose their own names. */
function By({ by }: { by: MovementRequester }) {
  if (by.kind === "MEMBER") return <>by {by.name}</>;
  return (
    <>
      by {by.kind === "ASSISTANT" ? "the assistant " : null}
      <span className="key">{by.name}</span>
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
      <Status tone="mute" icon={<FlaskConical className="ic" />}>
        Dry run
      </Status>
    );
  }
  if (status === "PENDING") {
    return (
      <Status tone="teal" icon={<Clock className="ic" />}>
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
