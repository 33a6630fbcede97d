import { CircleMinus, CornerDownRight, Hourglass, TriangleAlert } from "lucide-react";
import { Section } from "@/components/layout/section";
import { Amount } from "@/components/money/amount";
import { Flow } from "@/components/sluice/row-sluice";
import { SUBLINE } from "@/components/ui/text-styles";
import type { KnockOnRunView, KnockOnView } from "@/lib/contract/approvals/approval";

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
      <p className="text-sm text-ink-3 mt-2.5">
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
    <div className="grid grid-cols-[22px_1fr_auto] items-start gap-x-3 py-3.5 border-b border-rule break-inside-avoid [&_p]:text-sm/4.75 max-sm:grid-cols-[22px_1fr]">
      <OutcomeIcon outcome={run.outcome} />
      <div>
        <a className="font-semibold hover:underline hover:underline-offset-3" href={run.ruleHref}>
          {run.ruleName}
        </a>{" "}
        {VERB[run.outcome]}
        <p className="text-ink-3">
          {run.because}
          {run.isLater ? " Runs after the bank settles this." : null}
        </p>
        {run.flows.map(({ fromName, toName }) => (
          <p className="mt-1.5 text-ink" key={`${fromName} ${toName}`}>
            <Flow from={fromName} to={toName} state="queued" layout="wrappingOnPhones" />
          </p>
        ))}
      </div>
      <div
        className={`text-right whitespace-nowrap pl-6 max-sm:col-start-2 max-sm:pt-1.5 max-sm:pl-0 max-sm:text-left ${moves ? "" : "text-ink-3"}`}
      >
        <Amount cents={run.movedInCents} quiet={!moves} />
        {run.leavesSluice ? (
          <span className={`${SUBLINE} max-sm:ml-2 max-sm:inline`}>leaves Sluice</span>
        ) : null}
      </div>
    </div>
  );
}

function OutcomeIcon({ outcome }: Pick<KnockOnRunView, "outcome">) {
  if (outcome === "RUNS") return <CornerDownRight />;
  if (outcome === "FAILS") return <TriangleAlert className="text-ink-3" />;
  return outcome === "WAITS" ? <Hourglass className="text-ink-3" /> : <CircleMinus className="text-ink-3" />;
}
