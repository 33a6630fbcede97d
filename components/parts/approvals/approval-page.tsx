import { ArrowRight, Play, Undo2 } from "lucide-react";
import type { ReactNode } from "react";
import { WatchVersion } from "@/components/act/watch-version";
import { COLUMNS } from "@/components/layout/columns";
import { Section } from "@/components/layout/section";
import { SideColumn } from "@/components/layout/side-column";
import { BarFacts, StickyBar } from "@/components/layout/sticky-bar";
import { EndedPanel, ViewerPanel } from "@/components/parts/approvals/approval-panels";
import {
  Checks,
  SentRequest,
  SkippedMoves,
  WhatHappensNext,
  WhoAsks,
} from "@/components/parts/approvals/approval-sections";
import { ApprovalStatusChip } from "@/components/parts/approvals/approval-status";
import { ApproveLess } from "@/components/parts/approvals/approve-less";
import { BalanceTable } from "@/components/parts/approvals/balance-table";
import { blockedBecause } from "@/components/parts/approvals/check-sentence";
import { DecisionIsland } from "@/components/parts/approvals/decision-island";
import { decisionMoves } from "@/components/parts/approvals/decision-moves";
import { ProposalDocuments } from "@/components/parts/approvals/documents";
import { History } from "@/components/parts/approvals/history";
import { KnockOn } from "@/components/parts/approvals/knock-on";
import { NextLink } from "@/components/parts/approvals/next-link";
import { ProgramLabels } from "@/components/parts/approvals/program-labels";
import { kindWords } from "@/components/parts/approvals/proposal-words";
import { decidedWords, gateLabelOf, questionOf } from "@/components/parts/approvals/question";
import { QuestionHeading } from "@/components/parts/approvals/question-heading";
import { Signatures } from "@/components/parts/approvals/signatures";
import { signingLine } from "@/components/parts/approvals/signing-words";
import { MandateSuggestion } from "@/components/parts/mandates/mandate-suggestion";
import { NoteSuggestionShown } from "@/components/parts/mandates/note-suggestion-shown";
import { WaitingNetwork } from "@/components/parts/rules/small-network";
import { PageSluice, type SluiceEnd } from "@/components/sluice/page-sluice";
import { sluiceState } from "@/components/sluice/row-sluice";
import { formatClock, formatInSentence, formatWeekdayMoment } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { formatTimeLeft } from "@/components/time/time-left";
import { buttonClass } from "@/components/ui/button";
import { CheckItem, Checklist } from "@/components/ui/checklist";
import { FactLine } from "@/components/ui/fact-line";
import { Link } from "@/components/ui/link";
import { Quote } from "@/components/ui/quote";
import { KEY_NAME, LEDE, LINK, MONO } from "@/components/ui/text-styles";
import type { ApprovalAccountView, ApprovalStatus, PaidPayeeView } from "@/lib/contract/approvals/approval";
import { formatCents } from "@/lib/contract/format-cents";
import { lessHref } from "@/lib/contract/search/less-href";
import type { RunAgainView } from "@/lib/views/approvals/describe-run";
import type { ApprovalView, RunApprovalView, TransferApprovalView } from "@/lib/views/approvals/get-approval";
import type { MandateSuggestionView } from "@/lib/views/mandates/read-suggestion";

interface ApprovalPageProps {
  view: ApprovalView;
  /** Returns `{ "version": string }`. */
  refreshPath: string;
  inboxHref: string;
  /** Opens the denial at once. */
  opensDenial: boolean;
  /** The viewer enters an amount to approve instead. */
  isLowering: boolean;
  /** One signature in place of many more approvals; null: none is suggested. */
  suggestion: MandateSuggestionView | null;
}

const POLL_WAITING_MS = 10_000;
const POLL_ON_ITS_WAY_MS = 2_000;

/**
 * One proposed transfer or run, in every state. The order is the same at every width: question, drawing, reason and
 * requester, what will happen, what that triggers, checks, raw request; decision and history at the side.
 */
export function ApprovalPage(props: ApprovalPageProps) {
  const { view, refreshPath, inboxHref, opensDenial, isLowering } = props;
  const less = lessOf(view, isLowering);
  const suggestion =
    props.suggestion && view.kind === "TRANSFER" && !isLowering ? (
      <MandateSuggestion suggestion={props.suggestion} view={view} />
    ) : null;
  return (
    <div className={APPROVAL_COLUMNS}>
      <div>
        <ApprovalBody view={view} inboxHref={inboxHref} less={less} />
        {suggestion ? (
          <div className="sm:hidden">
            {suggestion}
            <NoteSuggestionShown proposalId={view.id} />
          </div>
        ) : null}
      </div>
      <SideColumn as="div">
        <SidePanel
          view={view}
          inboxHref={inboxHref}
          opensDenial={opensDenial}
          isLowering={isLowering}
          less={
            suggestion ? (
              <>
                {less}
                {suggestion}
              </>
            ) : (
              less
            )
          }
        />
        <History view={view} />
      </SideColumn>
      {isLive(view) ? (
        <WatchVersion
          path={refreshPath}
          version={view.version}
          intervalMs={view.status === "WAITING" ? POLL_WAITING_MS : POLL_ON_ITS_WAY_MS}
        />
      ) : null}
    </div>
  );
}

export const APPROVAL_COLUMNS = `${COLUMNS} max-sm:gap-8 max-sm:[&_:is(td,th).number]:pl-3.5`;

interface ApprovalBodyProps extends Pick<ApprovalPageProps, "view" | "inboxHref"> {
  /** For a page whose panel does not show how long it is open. */
  isTimeLeftShown?: boolean;
  /** In place of the balances before and after, while it waits. */
  willHappen?: { fact: string; content: ReactNode };
  /** Starts or is the field for a lower amount, where phones show it: above the bar, in place of the panel. */
  less?: ReactNode;
}

/** The proposal itself, without its decision. */
export function ApprovalBody({ view, inboxHref, isTimeLeftShown, willHappen, less }: ApprovalBodyProps) {
  return (
    <div>
      <StatusLine view={view} isTimeLeftShown={isTimeLeftShown === true && view.status === "WAITING"} />
      <QuestionHead view={view} />
      {less ? <div className="mt-5 sm:hidden">{less}</div> : null}
      {view.kind === "TRANSFER" && view.reverses ? <Reverses view={view} reverses={view.reverses} /> : null}
      <Drawing view={view} />
      <div className="grid grid-cols-[minmax(0,1fr)_calc(100%/3)] gap-10 mt-11 pt-7 border-t border-rule-strong print:block max-lg:grid-cols-1 sm:max-lg:gap-7 max-sm:gap-8 max-sm:mt-8 max-sm:pt-6">
        <section aria-labelledby="reason">
          <h2 className="mb-3 text-base font-semibold" id="reason">
            {view.reason ? "Its reason, word for word" : "Reason"}
          </h2>
          {view.reason ? (
            <Quote words={view.reason} size="large" />
          ) : (
            <p className="text-ink-2">None given.</p>
          )}
          <ProgramLabels labels={view.labels} headingId="labels" />
        </section>
        <WhoAsks requester={view.requester} time={view.time} />
      </div>
      <ProposalDocuments view={view} isWhole={!isTimeLeftShown} />
      {view.signing ? <Signatures signing={view.signing} time={view.time} verb="approve" /> : null}
      <Consequences view={view} inboxHref={inboxHref} willHappen={willHappen} />
      {view.request ? <SentRequest request={view.request} view={view} /> : null}
    </div>
  );
}

/** Starts or is the field for a lower amount; null where all of it or nothing is approved. */
function lessOf(view: ApprovalView, isLowering: boolean): ReactNode {
  if (view.kind !== "TRANSFER" || view.status !== "WAITING" || !view.viewer.canDecide || view.reverses)
    return null;
  const wholeHref = `/?approvalTransferId=${view.id}`;
  const proposedInCents = view.requestedAmountInCents ?? view.amountInCents;
  return isLowering ? (
    <ApproveLess
      key={view.id}
      proposedInCents={proposedInCents}
      shownInCents={view.amountInCents}
      wholeHref={wholeHref}
    />
  ) : (
    <Link className={`${LINK} text-sm`} href={lessHref(wholeHref, proposedInCents)} replace scroll={false}>
      Approve less
    </Link>
  );
}

function isLive({ status }: ApprovalView): boolean {
  return status === "WAITING" || status === "ON_ITS_WAY";
}

function StatusLine({ view, isTimeLeftShown }: { view: ApprovalView; isTimeLeftShown: boolean }) {
  return (
    <FactLine as="div" className="mb-5">
      <ApprovalStatusChip
        status={view.status}
        canDecide={view.viewer.canDecide && view.signing?.viewer.mayNot == null}
        needsSignatures={view.signing !== null}
        isAssistant={view.requester.kind === "ASSISTANT"}
      />
      <span title={view.id}>
        {kindWords(view)} <span className={MONO}>{view.shortId}</span>
      </span>
      {view.kind === "TRANSFER" && view.achLabel ? (
        <span className="max-sm:hidden!">
          ACH label <span className={MONO}>{view.achLabel}</span>
        </span>
      ) : null}
      {view.kind === "RULE_RUN" ? (
        <span>
          <a className={LINK} href={view.rule.href}>
            {view.rule.name}
          </a>
          , version {view.rule.version}
        </span>
      ) : null}
      {isTimeLeftShown ? (
        <span>{formatTimeLeft(Date.parse(view.expiresAt) - Date.parse(view.time.nowAt))} left</span>
      ) : null}
    </FactLine>
  );
}

function Reverses({
  view,
  reverses,
}: {
  view: TransferApprovalView;
  reverses: NonNullable<TransferApprovalView["reverses"]>;
}) {
  return (
    <p className="mt-2 text-md text-ink-2">
      Reverses{" "}
      <a className={LINK} href={reverses.href}>
        {formatCents(view.amountInCents)} from {view.destination.name} to {view.source.name}
      </a>
      , which settled <Moment at={reverses.settledAt} time={view.time} format={formatInSentence} />.
    </p>
  );
}

const FADED: ReadonlySet<ApprovalStatus> = new Set(["EXPIRED", "RULE_CHANGED", "WITHDRAWN", "CANCELLED"]);

/** A change of state is announced to screen readers. */
function QuestionHead({ view }: { view: ApprovalView }) {
  const { before, amountInCents, after, lede } = questionOf(view);
  return (
    <>
      <QuestionHeading
        before={before}
        amountInCents={amountInCents}
        after={after}
        isFaded={FADED.has(view.status)}
      />
      {view.kind === "TRANSFER" && view.requestedAmountInCents !== null ? (
        <p className="mt-2 text-md text-ink-3">
          Proposed: <del className="decoration-1">{formatCents(view.requestedAmountInCents)}</del>
        </p>
      ) : null}
      <p className={`${LEDE} empty:hidden mt-3`} role="status">
        {lede}
      </p>
    </>
  );
}

/** A transfer as two basins, a run as the network of its rule. The balance table says the same in text. */
function Drawing({ view }: { view: ApprovalView }) {
  if (view.kind === "TRANSFER") {
    return (
      <div className="mt-8 max-sm:mt-6">
        <PageSluice
          state={sluiceState(view.status)}
          source={sluiceEnd(view.source)}
          destination={sluiceEnd(view.destination, paidPayeeOf(view))}
          amountInCents={view.amountInCents}
          gateLabel={gateLabelOf(view)}
        />
      </div>
    );
  }
  if (view.drawing === null) return null;
  const { startsWithInCents, ...drawing } = view.drawing;
  const isKnown = startsWithInCents !== null && view.status === "WAITING";
  return (
    <div className="mt-8 max-sm:mt-6">
      <WaitingNetwork
        {...drawing}
        gate={gateOf(view.status)}
        caption={isKnown ? `${formatCents(startsWithInCents)} now` : null}
      />
    </div>
  );
}

function gateOf(status: ApprovalStatus): "WAITS" | "DOWN" | "OPEN" {
  if (status === "WAITING") return "WAITS";
  return status === "ON_ITS_WAY" || status === "SETTLED" || status === "PARTIAL" ? "OPEN" : "DOWN";
}

/** The payee that a transfer pays: an account of someone else, whose balance nobody here knows. */
function paidPayeeOf({ checks }: ApprovalView): PaidPayeeView | null {
  const [payee] = checks.flatMap((check) => (check.kind === "PAYEE" ? check.payees : []));
  return payee && !payee.isOwn ? payee : null;
}

function payeeWords({ accountNumberLast4 }: PaidPayeeView): string {
  return accountNumberLast4 === null ? "Outside Sluice" : `Outside, ••••${accountNumberLast4}`;
}

/** Liabilities are drawn as an empty basin; only the payment itself fills it. */
function sluiceEnd(
  { name, kind, nowInCents }: ApprovalAccountView,
  payee: PaidPayeeView | null = null,
): SluiceEnd {
  const isOwed = kind === "LIABILITY";
  const caption =
    nowInCents === null ? (
      <span className="text-ink-3">{payee ? payeeWords(payee) : "Balance unknown"}</span>
    ) : (
      <>
        {formatCents(nowInCents)} <span className="text-ink-3">{isOwed ? "owed" : "now"}</span>
      </>
    );
  return { name, nowInCents: isOwed ? 0 : nowInCents, caption };
}

/** Depends on the state: a forecast, what is in progress, or what can be done now. */
function Consequences({ view, inboxHref, willHappen }: Omit<ApprovalBodyProps, "less">) {
  switch (view.status) {
    case "WAITING":
      return (
        <>
          <Section id="will" title="What will happen" fact={willHappen?.fact ?? factOf(view)}>
            {view.balances.length === 0 ? (
              <p className="py-3.5 px-0 text-ink-2">{NOTHING}</p>
            ) : (
              (willHappen?.content ?? (
                <BalanceTable
                  balances={view.balances}
                  together={view.together}
                  changeLabel={changeLabelOf(view)}
                  lastColumn="After"
                />
              ))
            )}
            {view.kind === "RULE_RUN" ? <SkippedMoves moves={view.moves} /> : null}
          </Section>
          {view.knockOn ? <KnockOn view={view.knockOn} /> : null}
          <Checks view={view} />
        </>
      );
    case "ON_ITS_WAY":
      return (
        <>
          <WhatHappensNext view={view} />
          <Section id="balances" title="Balances" fact="Expected once it settles">
            <BalanceTable
              balances={view.balances}
              together={view.together}
              changeLabel={changeLabelOf(view)}
              lastColumn="Expected"
            />
          </Section>
        </>
      );
    case "SETTLED":
    case "PARTIAL":
    case "FAILED":
    case "RETURNED":
      return <WhatHappensNext view={view} />;
    case "EXPIRED":
    case "RULE_CHANGED":
      return <AskAgain view={view} inboxHref={inboxHref} />;
    case "DENIED":
    case "REVOKED":
    case "WITHDRAWN":
    case "CANCELLED":
      return null;
  }
}

const NOTHING = "Nothing would move right now.";

/** `5 transfers, if you approve now` */
function factOf(view: ApprovalView): string {
  if (view.signing)
    return `When ${view.signing.neededCount === 1 ? "1 has" : `${view.signing.neededCount} have`} signed`;
  const when = view.viewer.canDecide ? "if you approve now" : "if approved now";
  if (view.kind === "TRANSFER") return `I${when.slice(1)}`;
  if (view.amountInCents === null) return "Can’t be approved now";
  const count = view.moves.filter((move) => move.outcome === "MOVE").length;
  return `${count === 1 ? "1 transfer" : `${count} transfers`}, ${when}`;
}

function changeLabelOf({ kind }: ApprovalView): "This transfer" | "This run" {
  return kind === "TRANSFER" ? "This transfer" : "This run";
}

function AskAgain({ view, inboxHref }: { view: ApprovalView; inboxHref: string }) {
  return (
    <Section id="can" title="What you can do">
      <Checklist>
        {view.kind === "RULE_RUN" && view.runAgain ? (
          <RunAgain rule={view.rule} runAgain={view.runAgain} />
        ) : null}
        {view.requester.kind === "MEMBER" ? null : (
          <CheckItem
            icon={<Undo2 className="text-ink-2" />}
            title={
              <>
                Ask <span className={KEY_NAME}>{view.requester.name}</span> to propose it again
              </>
            }
          >
            {view.status === "EXPIRED" ? <p>An expired proposal can’t be reopened.</p> : null}
          </CheckItem>
        )}
        {view.otherWaitingCount > 0 ? (
          <CheckItem
            icon={<ArrowRight className="text-ink-2" />}
            title="See open proposals"
            action={
              <a className={buttonClass({ kind: "outlined", size: "small" })} href={inboxHref}>
                All approvals
              </a>
            }
          >
            <p>
              {view.otherWaitingCount === 1
                ? "1 proposal is still"
                : `${view.otherWaitingCount} proposals are still`}{" "}
              open.
            </p>
          </CheckItem>
        ) : null}
      </Checklist>
    </Section>
  );
}

function RunAgain({ rule, runAgain }: Pick<RunApprovalView, "rule"> & { runAgain: RunAgainView }) {
  return (
    <CheckItem
      icon={<Play className="text-ink-2" />}
      title={runAgain.version === null ? "No version is active" : `Run version ${runAgain.version} instead`}
      action={
        <a className={buttonClass({ kind: "outlined", size: "small" })} href={runAgain.href ?? rule.href}>
          {runAgain.href === null ? "View the rule" : `Run version ${runAgain.version}`}
        </a>
      }
    >
      <p>{runAgainWords(runAgain)}</p>
    </CheckItem>
  );
}

function runAgainWords({ version, href }: RunAgainView): string {
  if (version === null) return "The rule can be run again once a version is active.";
  return href === null
    ? "An owner or co-owner can run it while the rule is not paused."
    : "It starts from the same amount and shows what it would move before you confirm.";
}

interface SidePanelProps
  extends Pick<ApprovalPageProps, "view" | "inboxHref" | "opensDenial" | "isLowering"> {
  less: ReactNode;
}

function SidePanel({ view, inboxHref, opensDenial, isLowering, less }: SidePanelProps) {
  if (view.status !== "WAITING") {
    return (
      <>
        <EndedPanel view={view} inboxHref={inboxHref} />
        <NextBar view={view} />
      </>
    );
  }
  if (!view.viewer.canDecide) return <ViewerPanel view={view} />;
  return (
    <DecisionIsland
      proposalId={view.id}
      digest={view.digest}
      kind={view.kind}
      what={decidedWords(view)}
      less={less}
      isLowering={isLowering}
      loweredInCents={
        view.kind === "TRANSFER" && view.requestedAmountInCents !== null ? view.amountInCents : null
      }
      moves={decisionMoves(
        view,
        view.knockOn && view.knockOn.runs.length > 0 ? view.knockOn.followsInCents : null,
      )}
      sourceName={view.kind === "TRANSFER" ? view.source.name : view.from.name}
      requesterName={view.requester.name}
      isProgram={view.requester.kind === "API_KEY" || view.requester.kind === "ASSISTANT"}
      opensDenial={opensDenial}
      hasPasskey={view.viewer.hasPasskey}
      freshUntil={view.viewer.freshUntil}
      blockedBecause={blockedBecause(view)}
      signing={view.signing && signingLine(view.signing)}
      createdAt={view.createdAt}
      expiresAt={view.expiresAt}
      closes={`Closes ${formatWeekdayMoment(view.expiresAt, view.time)}.`}
      renderedClock={formatClock(view.time.nowAt, view.time)}
      balances={view.balances.map(({ name, nowInCents }) => ({ name, nowInCents }))}
      time={view.time}
    />
  );
}

/** On phones the next proposal stays within thumb's reach. */
function NextBar({ view: { id, next, otherWaitingCount, viewer, time } }: { view: ApprovalView }) {
  if (!next || !viewer.canDecide) return null;
  return (
    <StickyBar label="Next proposal" single>
      <BarFacts>
        <span>
          {otherWaitingCount === 1
            ? "1 more needs your decision"
            : `${otherWaitingCount} more need your decision`}
        </span>
        <span>Next closes in {formatTimeLeft(Date.parse(next.expiresAt) - Date.parse(time.nowAt))}</span>
      </BarFacts>
      <NextLink className={buttonClass({ kind: "primary" })} proposalId={id} href={next.href} isNext>
        Next proposal
        <ArrowRight />
      </NextLink>
    </StickyBar>
  );
}
