import { RunCrumb, RunStatus, RunTransferStatus } from "@/app/rules/[id]/_components/run-status";
import { RunAmounts, RunSteps } from "@/app/rules/[id]/_components/run-steps";
import { ReplayAnswer, ReplayButton, ReplayRun } from "@/app/rules/[id]/runs/[runId]/_components/replay-run";
import { RunAttempts } from "@/app/rules/[id]/runs/[runId]/_components/run-attempts";
import { RunFacts } from "@/app/rules/[id]/runs/[runId]/_components/run-facts";
import { RunStartedBy } from "@/app/rules/[id]/runs/[runId]/_components/run-started-by";
import { runTitle } from "@/app/rules/[id]/runs/[runId]/_components/run-title";
import { COLUMNS_WITH_WIDE_SIDE } from "@/components/layout/columns";
import { PageActions, PageHeadRow } from "@/components/layout/page-head";
import { Section } from "@/components/layout/section";
import { SideColumn } from "@/components/layout/side-column";
import { Table } from "@/components/layout/table";
import { CopyButton } from "@/components/parts/docs/copy-button";
import { SmallNetwork, WaitingNetwork } from "@/components/parts/rules/small-network";
import { Flow, type SluiceState } from "@/components/sluice/row-sluice";
import { Moment } from "@/components/time/moment";
import { buttonClass } from "@/components/ui/button";
import { FactLine } from "@/components/ui/fact-line";
import { Link } from "@/components/ui/link";
import { Note } from "@/components/ui/note";
import { MONO, PAGE_TITLE, SUBLINE } from "@/components/ui/text-styles";
import type { ExecutionMode, TransferStatus } from "@/lib/contract/transfer";
import type { RunTransferView, RunView } from "@/lib/views/rules/read-run";
import type { RunRowView } from "@/lib/views/rules/read-runs";
import { accountName } from "@/lib/words/rules/number-words";
import { baseWords } from "@/lib/words/rules/trigger-words";

const SLUICE: Record<TransferStatus, SluiceState> = {
  APPROVAL_PENDING: "closed",
  APPROVAL_DENIED: "denied",
  PROCESSING: "open",
  COMPLETE: "through",
  FAILED: "denied",
  CANCELLED: "expired",
  RETURNED: "denied",
};

interface RunPageProps {
  run: RunView;
}

/** One run: facts, matched step, amounts, and outcome. */
export function RunPage({ run }: RunPageProps) {
  const { definition, facts, plan, accounts, mode } = run;
  const isDry = mode === "SIMULATION";
  return (
    <ReplayRun executionId={run.id}>
      <RunCrumb
        rule={run.rule}
        via={{ label: "Runs", href: run.rule.runsHref }}
        here={isDry ? "Dry run" : "Run"}
      />
      <RunHead run={run} />
      <div className={`${COLUMNS_WITH_WIDE_SIDE} `}>
        <div className="[&>section:first-child]:mt-0 [&>div+section]:mt-0">
          <RunNotes run={run} />
          {isUndecided(run) ? <RunUndecided run={run} /> : <RunFacts run={run} />}
          {definition && plan ? (
            <RunSteps rule={definition} plan={plan} names={accounts} isForecast={isDry} />
          ) : null}
          {definition && plan && facts ? (
            <RunAmounts rule={definition} facts={facts} plan={plan} names={accounts} isForecast={isDry} />
          ) : null}
          <RunTransfers run={run} />
        </div>
        <SideColumn label="About this run">
          {definition && !isUndecided(run) ? (
            <section aria-label="Drawing">
              <SmallNetwork
                rule={definition}
                plan={plan}
                names={accounts}
                incomingAmountInCents={facts?.incomingAmountInCents ?? null}
                isSimulated={isDry}
              />
            </section>
          ) : null}
          <RunStartedBy run={run} />
          <RunAttempts run={run} />
          {plan ? <ReplayAnswer version={run.version} time={run.time} /> : null}
        </SideColumn>
      </div>
    </ReplayRun>
  );
}

/** Not approved, so there is no plan and no facts. */
function isUndecided({ status, plan }: RunView): boolean {
  return plan === null && (status === "APPROVAL_PENDING" || status === "APPROVAL_DENIED");
}

function RunUndecided({ run }: { run: RunView }) {
  const { definition, accounts, status } = run;
  const waits = status === "APPROVAL_PENDING";
  return (
    <Section
      id="undecided"
      title={waits ? "Waiting run" : "Run not approved"}
      fact={waits ? "Amount not calculated yet" : "Amount not calculated"}
    >
      {definition ? (
        <figure className="mx-0 mt-5 mb-0 overflow-x-auto">
          <WaitingNetwork
            rule={definition}
            plan={null}
            names={accounts}
            incomingAmountInCents={null}
            gate={waits ? "WAITS" : "DOWN"}
          />
        </figure>
      ) : null}
      <p className="text-sm text-ink-3 mt-3">
        {waits
          ? "Its approval page shows what it would move from current balances. Exactly that runs if approved."
          : "It moved nothing and won’t be retried."}
      </p>
    </Section>
  );
}

function endOf(decision: RunView["decision"]): RunRowView["endedBy"] {
  if (decision?.state === "EXPIRED") return "EXPIRY";
  if (decision?.state === "WITHDRAWN") return "WITHDRAWAL";
  return decision?.state === "RULE_CHANGED" ? "RULE_CHANGE" : null;
}

function RunHead({ run }: { run: RunView }) {
  const { decision, status } = run;
  const waits = status === "APPROVAL_PENDING" && decision !== null;
  return (
    <PageHeadRow className="mb-5">
      <div>
        <h1 className={PAGE_TITLE}>{runTitle(run)}</h1>
        <FactLine className="mt-2.5">
          <RunStatus
            status={status}
            mode={run.mode}
            movedNothing={run.plan !== null && !run.plan.moves.some(({ outcome }) => outcome === "MOVE")}
            isWaitingToRetry={run.nextAttemptAt !== null}
            endedBy={endOf(decision)}
            canDecide={run.viewer.canDecide}
          />
          <Moment at={run.createdAt} time={run.time} />
          <span>Version {run.version}</span>
          <span title={run.id}>
            Run <span className={MONO}>{`${run.id.slice(0, 4)}…${run.id.slice(-4)}`}</span>
          </span>
        </FactLine>
      </div>
      <PageActions>
        <CopyButton text={run.json} label="Copy as JSON" size={null} />
        {run.plan ? <ReplayButton /> : null}
        {waits ? (
          <Link
            className={buttonClass({ kind: run.viewer.canDecide ? "primary" : "outlined" })}
            href={decision.href}
          >
            {run.viewer.canDecide ? "Decide" : "View proposal"}
          </Link>
        ) : null}
      </PageActions>
    </PageHeadRow>
  );
}

function dryRunText({ base, accounts, live }: RunView): string {
  const from = base === null ? "these facts" : baseWords(base, accountName(accounts, base.accountId));
  return [
    `Calculated from ${from}. Nothing moved, and no approval was requested.`,
    ...(base && base.kind !== "REAL_BALANCE" ? ["A run now may differ."] : []),
    ...(base?.setsOff === false ? ["A deposit this small would not trigger the rule."] : []),
    ...(live?.errorMessage ? [`Had the run been live: ${live.errorMessage}`] : []),
  ].join(" ");
}

/** Notices above the details. */
function RunNotes({ run }: { run: RunView }) {
  return (
    <>
      {run.mode === "SIMULATION" ? (
        <div className="mb-6">
          <Note>
            <b>A dry run of version {run.version}.</b> {dryRunText(run)}
          </Note>
        </div>
      ) : null}
      {run.errorMessage ? (
        <div className="mb-6">
          <Note tone={run.mode === "SIMULATION" ? "plain" : "red"}>{run.errorMessage}</Note>
        </div>
      ) : null}
      {run.definition === null ? (
        <div className="mb-6">
          <Note>
            This version of Sluice cannot read version {run.version} of the rule. You can copy the stored
            data.
          </Note>
        </div>
      ) : null}
    </>
  );
}

/** The transfers of a run, with their current status. */
function RunTransfers({ run }: { run: RunView }) {
  const { transfers, mode, time } = run;
  if (transfers.length === 0) return null;
  return (
    <Section id="transfers" title="Transfers" fact={settledWords(transfers, mode)}>
      <Table
        caption="Its transfers, in order"
        areHeadsHidden
        rows={transfers}
        columns={[
          {
            head: "When",
            kind: "MOMENT",
            phone: "HIDDEN",
            className: "text-sm text-ink-3",
            cell: ({ at }) => <Moment at={at} time={time} />,
          },
          { head: "Transfer", cell: (transfer) => <TransferFlow transfer={transfer} mode={mode} /> },
          {
            head: "Status",
            phone: "BELOW",
            belowClass:
              "mt-1 max-sm:flex max-sm:flex-wrap max-sm:items-center max-sm:gap-y-1 max-sm:gap-x-4 max-sm:[&_a]:inline-flex max-sm:[&_a]:items-center max-sm:[&_a]:min-h-11",
            cell: ({ status }) => <RunTransferStatus status={status} mode={mode} />,
          },
          { head: "Amount", kind: "MONEY", cell: ({ amountInCents }) => amountInCents },
        ]}
      />
    </Section>
  );
}

function TransferFlow({ transfer, mode }: { transfer: RunTransferView; mode: ExecutionMode }) {
  const { fromName, toName, status, href, errorMessage } = transfer;
  const flow = <Flow from={fromName} to={toName} state={stateOf(status, mode)} layout="column" />;
  return (
    <>
      {href ? <Link href={href}>{flow}</Link> : flow}
      {errorMessage ? (
        <span className={SUBLINE}>
          {mode === "LIVE" ? null : "Live, it would fail: "}
          {errorMessage}
        </span>
      ) : null}
    </>
  );
}

function settledWords(transfers: readonly RunTransferView[], mode: ExecutionMode): string {
  if (mode === "SIMULATION") return "Recorded, not booked";
  const settled = transfers.filter(({ status }) => status === "COMPLETE").length;
  return `${settled} of ${transfers.length} settled`;
}

function stateOf(status: TransferStatus, mode: ExecutionMode): SluiceState {
  return mode === "SIMULATION" ? "sim" : SLUICE[status];
}
