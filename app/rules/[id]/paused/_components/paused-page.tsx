import { Check, CircleMinus, TriangleAlert, X } from "lucide-react";
import type { ReactNode } from "react";
import { RunCrumb } from "@/app/rules/[id]/_components/run-status";
import { ProposeAll } from "@/app/rules/[id]/paused/_components/propose-all";
import { PageActions, PageHead } from "@/components/layout/page-head";
import { Section } from "@/components/layout/section";
import { Table } from "@/components/layout/table";
import { Amount } from "@/components/money/amount";
import { Flow, type SluiceState } from "@/components/sluice/row-sluice";
import { formatAfterWord } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { buttonClass } from "@/components/ui/button";
import { DefinitionList } from "@/components/ui/definition-list";
import { Empty } from "@/components/ui/empty";
import { GateClosedIcon, GateOpenIcon } from "@/components/ui/icons";
import { Link } from "@/components/ui/link";
import { Note } from "@/components/ui/note";
import { Status } from "@/components/ui/status";
import { LINK, MONO, SUBLINE } from "@/components/ui/text-styles";
import { formatCents } from "@/lib/contract/format-cents";
import type { PauseView, ReversalState, SplitTransferView } from "@/lib/views/rules/read-paused-page";

interface PausedPageProps {
  view: PauseView;
}

/** Why a rule is paused: the returned transfer, the transfers made of its money, and their reversals. */
export function PausedPage({ view }: PausedPageProps) {
  const { rule, returned, viewer } = view;
  const from = returned.fromName ? ` from ${returned.fromName}` : "";
  return (
    <>
      <RunCrumb rule={rule} here="Paused" />
      <PageHead
        title={`${formatCents(returned.amountInCents)}${from} was returned after it had been split`}
        lede={`${rule.name} is paused and won’t run until someone resumes it.`}
        actions={
          viewer.canDecide ? (
            <PageActions>
              <Link className={buttonClass({ kind: "outlined" })} href={rule.href}>
                Resume on rule page
              </Link>
            </PageActions>
          ) : null
        }
      />
      <CameBack view={view} />
      <Split view={view} />
    </>
  );
}

function CameBack({ view: { returned, balanceInCents, pausedAt, time } }: { view: PauseView }) {
  return (
    <Section
      id="came-back"
      title="Returned transfer"
      fact={returned.code ? <span className={MONO}>{returned.code}</span> : null}
    >
      <DefinitionList columns="wideTerms" align="left" stacksOnPhones className="mt-3.5">
        <dt>Returned</dt>
        <dd>
          <Amount cents={returned.amountInCents} />
          {returned.fromName ? ` of ${returned.fromName}` : null},{" "}
          <Moment at={returned.returnedAt} time={time} format={formatAfterWord} />
        </dd>
        {returned.arrivedAt ? (
          <>
            <dt>Originally arrived</dt>
            <dd>
              On {returned.accountName},{" "}
              <Moment at={returned.arrivedAt} time={time} format={formatAfterWord} />
            </dd>
          </>
        ) : null}
        <dt>Paused since</dt>
        <dd>
          <Moment at={pausedAt} time={time} />
        </dd>
        {balanceInCents === null ? null : (
          <>
            <dt>{returned.accountName} holds now</dt>
            <dd>
              <Amount cents={balanceInCents} />
            </dd>
          </>
        )}
      </DefinitionList>
    </Section>
  );
}

function Split({ view }: PausedPageProps) {
  const { transfers, viewer, hasMore, onTheirWayCount } = view;
  const openCount = transfers.filter(({ reversal }) => MAY_PROPOSE.has(reversal.state)).length;
  return (
    <Section id="split" title="Transfers made from it" fact={splitFact(transfers)}>
      {transfers.length === 0 ? (
        <Empty title="Nothing to move back">None of its transfers can be moved back.</Empty>
      ) : (
        <SplitTable view={view} />
      )}
      {onTheirWayCount > 0 ? (
        <p className="text-sm text-ink-3 mt-3">
          {onTheirWayCount === 1
            ? "1 more transfer is on its way. It can be moved back once it settles."
            : `${onTheirWayCount} more transfers are on their way. They can be moved back once they settle.`}
        </p>
      ) : null}
      {hasMore ? (
        <p className="text-sm text-ink-3 mt-3">
          There are more than 200. The next are shown once these are decided.
        </p>
      ) : null}
      {viewer.canDecide ? (
        <ProposeAll ruleId={view.rule.id} count={openCount} />
      ) : (
        <div className="mt-6">
          <Note>Owners and co-owners can propose moving them back, and decide on each.</Note>
        </div>
      )}
    </Section>
  );
}

function splitFact(transfers: readonly SplitTransferView[]): string {
  const done = transfers.filter(({ reversal }) => reversal.state === "DONE").length;
  return `${done} of ${transfers.length} moved back`;
}

const MAY_PROPOSE: ReadonlySet<ReversalState> = new Set(["NOT_PROPOSED", "FAILED"]);
const MAY_PROPOSE_ONE: ReadonlySet<ReversalState> = new Set(["NOT_PROPOSED", "FAILED", "DENIED"]);

/** Beside each other, and large enough to press. */
const STATUS_LINE =
  "mt-1 max-sm:flex max-sm:flex-wrap max-sm:items-center max-sm:gap-y-1 max-sm:gap-x-4 max-sm:[&_a]:inline-flex max-sm:[&_a]:items-center max-sm:[&_a]:min-h-11";

function SplitTable({ view: { transfers, viewer, time } }: { view: PauseView }) {
  const mayPropose = ({ reversal }: SplitTransferView) =>
    viewer.canDecide && MAY_PROPOSE_ONE.has(reversal.state);
  return (
    <Table
      caption="Transfers, newest first, with their reversals"
      rows={transfers}
      columns={[
        {
          head: "Transfer",
          cell: ({ fromName, toName, reversal, runHref, ruleName, settledAt }) => (
            <>
              <Flow from={fromName} to={toName} state={SLUICE[reversal.state]} layout="column" />
              <span className={SUBLINE}>
                <Link className={LINK} href={runHref}>
                  {ruleName}
                </Link>
                , <Moment at={settledAt} time={time} format={formatAfterWord} />
              </span>
            </>
          ),
        },
        {
          head: "Reversal",
          phone: "BELOW",
          belowClass: STATUS_LINE,
          cell: (transfer) => (
            <>
              <ReversalStatus transfer={transfer} />
              {mayPropose(transfer) ? (
                <span className={`block font-normal ${STATUS_LINE}`}>
                  <MoveBack transfer={transfer} />
                </span>
              ) : null}
            </>
          ),
          below: (transfer) => (
            <>
              <ReversalStatus transfer={transfer} />
              {mayPropose(transfer) ? <MoveBack transfer={transfer} /> : null}
            </>
          ),
        },
        { head: "Amount", kind: "MONEY", cell: ({ amountInCents }) => amountInCents },
      ]}
    />
  );
}

function MoveBack({ transfer: { moveBackHref } }: { transfer: SplitTransferView }) {
  return (
    <Link className={LINK} href={moveBackHref}>
      Move it back
    </Link>
  );
}

/** The drawing shows the transfer as settled until its reversal is complete. */
const SLUICE: Record<ReversalState, SluiceState> = {
  NOT_PROPOSED: "through",
  WAITING: "through",
  ON_ITS_WAY: "through",
  DONE: "expired",
  DENIED: "through",
  FAILED: "through",
};

const REVERSAL: Record<
  ReversalState,
  { tone: Parameters<typeof Status>[0]["tone"]; icon: ReactNode; label: string }
> = {
  NOT_PROPOSED: { tone: "mute", icon: <CircleMinus />, label: "Not proposed" },
  WAITING: { tone: "amber", icon: <GateClosedIcon />, label: "Waiting" },
  ON_ITS_WAY: { tone: "teal", icon: <GateOpenIcon />, label: "On its way back" },
  DONE: { tone: "green", icon: <Check />, label: "Moved back" },
  DENIED: { tone: "red", icon: <X />, label: "Denied" },
  FAILED: { tone: "red", icon: <TriangleAlert />, label: "Failed" },
};

function ReversalStatus({ transfer: { reversal } }: { transfer: SplitTransferView }) {
  const { tone, icon, label } = REVERSAL[reversal.state];
  const status = (
    <Status tone={tone} icon={icon}>
      {label}
    </Status>
  );
  return reversal.href ? <Link href={reversal.href}>{status}</Link> : status;
}
