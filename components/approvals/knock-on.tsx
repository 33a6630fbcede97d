import { CircleMinus, CornerDownRight, Hourglass, TriangleAlert } from "lucide-react";
import { Amount } from "@/components/money/amount";
import { Flow } from "@/components/sluice/row-sluice";
import { Section } from "@/components/ui/section";
import type { KnockOnRunView, KnockOnView } from "@/lib/contract/views/approval-view";

/** The rules that an approval triggers, including those that would skip: a forecast. */
export function KnockOn({ view }: { view: KnockOnView }) {
  const { runs, isCut } = view;
  if (runs.length === 0) return null;
  return (
    <Section id="sets-off" title="Rules this triggers" fact={factWords(runs)}>
      {runs.map((run, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: one rule may run twice; only the order distinguishes the runs.
        <Run key={index} run={run} />
      ))}
      <p className="meta knock-f">
        Estimated from current balances; not part of this approval. {isCut ? "More rules follow. " : ""}
      </p>
    </Section>
  );
}

/** `1 rule will run, 1 will skip` */
function factWords(runs: readonly KnockOnRunView[]): string {
  const running = runs.filter((run) => run.outcome === "RUNS").length;
  const others = runs.length - running;
  const first = running === 0 ? "No rule runs" : running === 1 ? "1 rule runs" : `${running} rules run`;
  if (others === 0) return first;
  const skipping = runs.filter((run) => run.outcome === "SKIPS").length;
  if (skipping === others) return `${first}, ${others} ${others === 1 ? "skips" : "skip"}`;
  return `${first}, ${others} ${others === 1 ? "does not" : "do not"}`;
}

const VERB: Record<KnockOnRunView["outcome"], string> = {
  RUNS: "will run",
  SKIPS: "will skip",
  FAILS: "will fail",
  WAITS: "will wait",
};

function Run({ run }: { run: KnockOnRunView }) {
  const moves = run.outcome === "RUNS";
  return (
    <div className="knock">
      <OutcomeIcon outcome={run.outcome} />
      <div>
        <a className="knock-n" href={run.ruleHref}>
          {run.ruleName}
        </a>{" "}
        {VERB[run.outcome]}
        <p>
          {run.because}
          {run.isLater ? " Runs after the bank settles this." : null}
        </p>
        {run.flows.map(({ fromName, toName }) => (
          <p className="kf" key={`${fromName} ${toName}`}>
            <Flow from={fromName} to={toName} state="queued" />
          </p>
        ))}
      </div>
      <div className={moves ? "num" : "num dim"}>
        <Amount cents={run.movedInCents} quiet={!moves} />
        {run.leavesSluice ? <span className="meta blk">leaves Sluice</span> : null}
      </div>
    </div>
  );
}

function OutcomeIcon({ outcome }: Pick<KnockOnRunView, "outcome">) {
  if (outcome === "RUNS") return <CornerDownRight className="ic" />;
  if (outcome === "FAILS") return <TriangleAlert className="ic dim" />;
  return outcome === "WAITS" ? <Hourglass className="ic dim" /> : <CircleMinus className="ic dim" />;
}
