import { CopyButton } from "@/components/docs/copy-button";
import { Amount } from "@/components/money/amount";
import { ReplayAnswer, ReplayButton, ReplayRun } from "@/components/rules/replay-run";
import { RunAttempts } from "@/components/rules/run-attempts";
import { RunFacts } from "@/components/rules/run-facts";
import { RunStartedBy } from "@/components/rules/run-started-by";
import { RunCrumb, RunStatus, RunTransferStatus } from "@/components/rules/run-status";
import { RunAmounts, RunSteps } from "@/components/rules/run-steps";

import { runTitle } from "@/components/rules/run-title";
import { SmallNetwork, WaitingNetwork } from "@/components/rules/small-network";

import { Flow, type SluiceState } from "@/components/sluice/row-sluice";

import { Moment } from "@/components/time/moment";
import { buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { Note } from "@/components/ui/note";
import { Section } from "@/components/ui/section";
import type { ExecutionMode, TransferStatus } from "@/lib/contract/transfer";
import type { ReplayResult, RunRowView, RunTransferView, RunView } from "@/lib/contract/views/run-view";
import { accountName } from "@/lib/engine/words/number-words";
import { baseWords } from "@/lib/engine/words/trigger-words";

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
  replay: () => Promise<ReplayResult>;
}

/** One run: facts, matched step, amounts, and outcome. */
export function RunPage({ run, replay }: RunPageProps) {
  const { definition, facts, plan, accounts, mode } = run;
  const isDry = mode === "SIMULATION";
  return (
    <ReplayRun replay={replay}>
      <RunCrumb
        rule={run.rule}
        via={{ label: "Runs", href: run.rule.runsHref }}
        here={isDry ? "Dry run" : "Run"}
      />
      <RunHead run={run} />
      <div className={isDry ? "cols keyc run run-sim" : "cols keyc run"}>
        <div>
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
        <aside className="side" aria-label="About this run">
          <div className="side-in">
            {definition && !isUndecided(run) ? (
              <section aria-label="Drawing">
                <SmallNetwork
                  rule={definition}
                  plan={plan}
                  names={accounts}
                  incomingAmountInCents={facts?.incomingAmountInCents ?? null}
                />
              </section>
            ) : null}
            <RunStartedBy run={run} />
            <RunAttempts run={run} />
            {plan ? <ReplayAnswer version={run.version} time={run.time} /> : null}
          </div>
        </aside>
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
        <figure className="run-wait">
          <WaitingNetwork
            rule={definition}
            plan={null}
            names={accounts}
            incomingAmountInCents={null}
            gate={waits ? "WAITS" : "DOWN"}
          />
        </figure>
      ) : null}
      <p className="meta run-n">
        {waits
          ? "Its approval page shows what it would move from current balances. Exactly that runs if approved."
          : "It moved nothing and won’t be retried."}
      </p>
    </Section>
  );
}

function endOf(decision: RunView["decision"]): RunRowView["endedBy"] {
  if (decision?.state === "EXPIRED") return "EXPIRY";
  return decision?.state === "RULE_CHANGED" ? "RULE_CHANGE" : null;
}

function RunHead({ run }: { run: RunView }) {
  const { decision, status } = run;
  const waits = status === "APPROVAL_PENDING" && decision !== null;
  return (
    <div className="page-h run-h">
      <div>
        <h1 className="h1">{runTitle(run)}</h1>
        <p className="ask-s">
          <RunStatus
            status={status}
            mode={run.mode}
            conditionsNotMet={run.plan !== null && run.plan.stepIndexMatched === null}
            isWaitingToRetry={run.nextAttemptAt !== null}
            endedBy={endOf(decision)}
            canDecide={run.viewer.canDecide}
          />
          <Moment at={run.createdAt} time={run.time} />
          <span>Version {run.version}</span>
          <span title={run.id}>
            Run <span className="mono">{`${run.id.slice(0, 4)}…${run.id.slice(-4)}`}</span>
          </span>
        </p>
      </div>
      <div className="page-a">
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
      </div>
    </div>
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
        <div className="run-note">
          <Note>
            <b>A dry run of version {run.version}.</b> {dryRunText(run)}
          </Note>
        </div>
      ) : null}
      {run.errorMessage ? (
        <div className="run-note">
          <Note tone={run.mode === "SIMULATION" ? "plain" : "red"}>{run.errorMessage}</Note>
        </div>
      ) : null}
      {run.definition === null ? (
        <div className="run-note">
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
      <table className="ledger tight run-t">
        <caption className="vh">Its transfers, in order</caption>
        <thead className="vh">
          <tr>
            <th scope="col">When</th>
            <th scope="col">Transfer</th>
            <th scope="col">Status</th>
            <th scope="col">Amount</th>
          </tr>
        </thead>
        <tbody>
          {transfers.map((transfer) => {
            const flow = (
              <Flow from={transfer.fromName} to={transfer.toName} state={stateOf(transfer.status, mode)} />
            );
            const status = <RunTransferStatus status={transfer.status} mode={mode} />;
            return (
              <tr key={transfer.id}>
                <td className="meta nowrap hide-s">
                  <Moment at={transfer.at} time={time} />
                </td>
                <td>
                  {transfer.href ? <Link href={transfer.href}>{flow}</Link> : flow}
                  {transfer.errorMessage ? (
                    <span className="meta blk">
                      {mode === "LIVE" ? null : "Live, it would fail: "}
                      {transfer.errorMessage}
                    </span>
                  ) : null}
                  <span className="only-s run-ts">{status}</span>
                </td>
                <td className="hide-s">{status}</td>
                <td className="num">
                  <Amount cents={transfer.amountInCents} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </Section>
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
