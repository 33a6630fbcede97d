import { Download, RotateCw, Undo2 } from "lucide-react";
import type { ReactNode } from "react";
import { BooksTables } from "@/app/transfers/_components/books-table";
import { LifeTimeline } from "@/app/transfers/_components/life-timeline";
import { MovementStatusChip } from "@/app/transfers/_components/movement-table";
import { PART_HEAD } from "@/components/layout/section";
import { Amount } from "@/components/money/amount";
import { CancelTransfer } from "@/components/parts/approvals/cancel-transfer";
import { DocumentList } from "@/components/parts/approvals/documents";
import { ProgramLabels } from "@/components/parts/approvals/program-labels";
import { movementSluice } from "@/components/parts/movements/list-words";
import { Flow } from "@/components/sluice/row-sluice";
import { formatMoment } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { buttonClass } from "@/components/ui/button";
import { DefinitionList } from "@/components/ui/definition-list";
import { Link } from "@/components/ui/link";
import { Quote } from "@/components/ui/quote";
import { MONO } from "@/components/ui/text-styles";
import { RAIL_NAMES } from "@/lib/contract/bank-capabilities";
import { formatCents } from "@/lib/contract/format-cents";
import type {
  CardDetailView,
  MovementDetailView,
  OutsideDetailView,
} from "@/lib/views/movements/read-movement-detail";
import type { TransferDetailView } from "@/lib/views/movements/read-transfer-detail";
import { CATEGORY_WORDS } from "@/lib/words/category-words";

const NOUN: Record<MovementDetailView["kind"], string> = {
  TRANSFER: "Transfer",
  CARD: "Card transaction",
  OUTSIDE: "Outside transaction",
};

/** `Transfer 7c1e…44d0`, with the full id on hover. */
export function MovementName({ view }: { view: MovementDetailView }) {
  return (
    <span className="text-sm text-ink-3">
      {NOUN[view.kind]}{" "}
      <span className={MONO} title={view.id}>
        {view.shortId}
      </span>
    </span>
  );
}

/** The page title of one movement. */
export function movementTitle({ amountInCents, from, to }: MovementDetailView): string {
  return `${formatCents(amountInCents)} from ${from.name} to ${to.name}`;
}

/** One movement: facts, timeline, entries, and actions. */
export function MovementDetail({ view }: { view: MovementDetailView }) {
  return (
    <>
      <p className="mt-0.5 text-lg font-semibold">
        <Flow from={view.from.name} to={view.to.name} state={movementSluice(view.status)} layout="wrapping" />
      </p>
      <p className="mt-1.5">
        <Amount cents={view.amountInCents} size="3xl" quiet={view.status === "DRY_RUN"} />
      </p>
      <p className="mt-1.5">
        <MovementStatusChip
          status={view.status}
          canDecide={view.viewer.canDecide}
          isAssistant={view.isAssistant}
        />{" "}
        <span className="text-sm text-ink-3">
          <Moment at={view.statusAt} time={view.time} />
        </span>
      </p>
      {view.kind === "TRANSFER" ? <TransferParts view={view} /> : null}
      {view.kind === "CARD" ? <CardFacts view={view} /> : null}
      {view.kind === "OUTSIDE" ? <OutsideFacts view={view} /> : null}
      <BooksTables view={view} />
      {view.kind === "TRANSFER" ? <TransferActs view={view} /> : null}
    </>
  );
}

function TransferParts({ view }: { view: TransferDetailView }) {
  return (
    <>
      {view.reason === null ? null : (
        <div className="mt-5">
          <Quote words={view.reason} />
        </div>
      )}
      <ProgramLabels labels={view.labels} headingId={`labels-${view.id}`} />
      {view.documents.length === 0 ? null : (
        <section aria-labelledby={`documents-${view.id}`}>
          <div className={PART_HEAD}>
            <h2 className="text-base font-semibold" id={`documents-${view.id}`}>
              {view.documents.length === 1 ? "Document" : "Documents"}
            </h2>
          </div>
          <DocumentList documents={view.documents} time={view.time} />
        </section>
      )}
      <section aria-labelledby={`life-${view.id}`}>
        <div className={PART_HEAD}>
          <h2 className="text-base font-semibold" id={`life-${view.id}`}>
            Timeline
          </h2>
          <p>{lifeLength(view)}</p>
        </div>
        <div className="mt-4">
          <LifeTimeline view={view} />
        </div>
      </section>
      <Facts id={view.id}>
        <Party label="From" party={view.from} />
        <Party label="To" party={view.to} />
        {view.label === null ? null : (
          <Fact label="ACH label" value={<span className={MONO}>{view.label}</span>} />
        )}
        {view.rule === null ? null : (
          <Fact label="Rule" value={<Link href={view.rule.href}>{view.rule.name}</Link>} />
        )}
        {view.rule?.runHref ? (
          <Fact label="Rule run" value={<Link href={view.rule.runHref}>View run</Link>} />
        ) : null}
        {view.approvalHref === null ? null : (
          <Fact label="Approval" value={<Link href={view.approvalHref}>{approvalWords(view)}</Link>} />
        )}
        {view.mandate === null ? null : (
          <Fact
            label="Accepted"
            value={<Link href={view.mandate.href}>Under mandate {view.mandate.shortId}</Link>}
          />
        )}
        {view.reversesHref === null ? null : (
          <Fact
            label="Moves back"
            value={<Link href={view.reversesHref}>View the transfer it reverses</Link>}
          />
        )}
        {view.movedBackHref === null ? null : (
          <Fact label="Moved back by" value={<Link href={view.movedBackHref}>View the transfer back</Link>} />
        )}
        <SettlementFacts view={view} />
        {view.bankWords === null ? null : (
          <Fact label="The bank’s words" value={<bdi>“{view.bankWords}”</bdi>} />
        )}
        {view.bankReferences.length === 0 ? null : (
          <Fact
            label="Bank reference"
            value={view.bankReferences.map((reference) => (
              <span key={reference} className={`${MONO} block`}>
                {reference}
              </span>
            ))}
          />
        )}
      </Facts>
    </>
  );
}

/**
 * How it traveled, what the bank charged, and until when it is held. An unusual return can come after the usual time for
 * one, so nothing is called final.
 */
function SettlementFacts({ view: { settlement, status, time } }: { view: TransferDetailView }) {
  if (settlement === null) return null;
  const { rail, feeInCents, finalAt, availableAt } = settlement;
  const isSettled = status === "SETTLED";
  const isHeld = availableAt !== null && availableAt > time.nowAt;
  return (
    <>
      <Fact label="Payment method" value={RAIL_NAMES[rail]} />
      {feeInCents === 0 ? null : <Fact label="Fee of the bank" value={formatCents(feeInCents)} />}
      {isSettled && isHeld ? <Fact label="Held until" value={formatMoment(availableAt, time)} /> : null}
      {isSettled && finalAt !== null ? (
        <Fact
          label={finalAt > time.nowAt ? "Usual returns until" : "Usual returns ended"}
          value={formatMoment(finalAt, time)}
        />
      ) : null}
    </>
  );
}

function approvalWords({ status, viewer }: TransferDetailView): string {
  return status === "WAITING" && viewer.canDecide ? "Open it to decide" : "View proposal";
}

const DAY_MS = 86_400_000;

/** How long it took, if notable: `4 days`. */
function lifeLength({ createdAt, statusAt }: TransferDetailView): string {
  const days = Math.round((Date.parse(statusAt) - Date.parse(createdAt)) / DAY_MS);
  if (days < 1) return "";
  return days === 1 ? "1 day" : `${days} days`;
}

function CardFacts({ view }: { view: CardDetailView }) {
  return (
    <Facts id={view.id}>
      <Fact
        label="Card"
        value={<Link href="/cards">{`${view.card.name}, ••••${view.card.numberEnding}`}</Link>}
      />
      <Party label="From" party={view.from} />
      <Party label="To" party={view.to} />
      {view.category === null ? null : <Fact label="Category" value={CATEGORY_WORDS[view.category]} />}
      <Fact label="Recorded" value={formatMoment(view.createdAt, view.time)} />
      <Fact label="Network reference" value={<span className={MONO}>{view.networkReference}</span>} />
    </Facts>
  );
}

function OutsideFacts({ view }: { view: OutsideDetailView }) {
  return (
    <Facts id={view.id}>
      <Party label="From" party={view.from} />
      <Party label="To" party={view.to} />
      {view.description === "" ? null : <Fact label="Bank description" value={view.description} />}
      {view.merchantName === null ? null : <Fact label="Merchant" value={view.merchantName} />}
      {view.category === null || view.isIncome ? null : (
        <Fact label="Category" value={CATEGORY_WORDS[view.category]} />
      )}
      <Fact label="First seen" value={formatMoment(view.seenAt, view.time)} />
      {view.transferHref === null ? null : (
        <Fact label="Your own transfer" value={<Link href={view.transferHref}>View</Link>} />
      )}
    </Facts>
  );
}

function Facts({ id, children }: { id: string; children: ReactNode }) {
  return (
    <section aria-labelledby={`facts-${id}`}>
      <div className={PART_HEAD}>
        <h2 className="text-base font-semibold" id={`facts-${id}`}>
          Facts
        </h2>
      </div>
      <DefinitionList columns="longValues" breaks="anywhere" className="mt-3 [&_a]:text-teal">
        {children}
      </DefinitionList>
    </section>
  );
}

function Fact({ label, value }: { label: string; value: ReactNode }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </>
  );
}

function Party({ label, party: { name, href } }: { label: string; party: MovementDetailView["from"] }) {
  return <Fact label={label} value={href === null ? name : <Link href={href}>{name}</Link>} />;
}

function TransferActs({ view }: { view: TransferDetailView }) {
  const hasLinks = [view.moveBackHref, view.tryAgainHref, view.receiptHref].some((href) => href !== null);
  return (
    <>
      {view.canCancel || hasLinks ? (
        <div className="flex flex-wrap items-center gap-2 mt-6">
          {view.canCancel ? (
            <CancelTransfer
              transferId={view.id}
              amount={formatCents(view.amountInCents)}
              sourceName={view.from.name}
            />
          ) : null}
          {view.moveBackHref === null ? null : (
            <Link className={buttonClass({ kind: "outlined" })} href={view.moveBackHref}>
              <Undo2 />
              Move it back
            </Link>
          )}
          {view.tryAgainHref === null ? null : (
            <Link className={buttonClass({ kind: "outlined" })} href={view.tryAgainHref}>
              <RotateCw />
              Try again
            </Link>
          )}
          {view.receiptHref === null ? null : (
            <Link className={buttonClass({ kind: "quiet" })} href={view.receiptHref}>
              <Download />
              Receipt
            </Link>
          )}
        </div>
      ) : null}
      <p className="text-sm text-ink-3 mt-2.5">{actWords(view)}</p>
    </>
  );
}

/** What can still be done, and what cannot. */
function actWords({
  status,
  canCancel,
  moveBackHref,
  tryAgainHref,
  life,
  viewer,
}: TransferDetailView): string {
  if (canCancel) return "Not sent yet. If you cancel it, the money stays where it is.";
  if (moveBackHref !== null) {
    return "Already sent; it can no longer be canceled. Moving it back needs approval like any transfer.";
  }
  if (tryAgainHref !== null) {
    return "Trying again opens Move money with the same accounts and amount. Nothing moves until you confirm.";
  }
  if (status === "ON_ITS_WAY") {
    if (!viewer.canDecide) return "Not sent yet. Owners and co-owners can cancel it.";
    return life.some(({ kind }) => kind === "UNANSWERED")
      ? "The bank may already have it; it can no longer be canceled."
      : "Already sent to the bank; it can no longer be canceled. Once it settles, you can move it back.";
  }
  if (status === "DRY_RUN") return "This was a dry run: planned and recorded, but nothing moved.";
  return "";
}
