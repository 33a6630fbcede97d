"use client";

import { Suspense } from "react";
import { ActDialog } from "@/app/rules/[id]/_components/act-dialog";
import { type BacktestReading, BacktestReview } from "@/app/rules/[id]/_components/backtest-section";
import { EndingRuns } from "@/app/rules/[id]/_components/ending-runs";
import { DefinitionList } from "@/components/ui/definition-list";
import { GateOpenIcon } from "@/components/ui/icons";
import { formatCents } from "@/lib/contract/format-cents";
import { evaluate } from "@/lib/engine/evaluate";
import { type MostOfRun, mostOfRun } from "@/lib/engine/most-of-a-run";
import { whatIfBase, withBase } from "@/lib/engine/run-facts";
import type { RuleView } from "@/lib/views/rules/read-rule-page";
import { checkWords } from "@/lib/words/rules/activation-words";
import { accountName, areAllPods, percentWords } from "@/lib/words/rules/number-words";
import { capitalized, joinWords } from "@/lib/words/rules/phrases";
import { failureWords, unknownWords } from "@/lib/words/rules/trace-words";
import { shortTriggerWords } from "@/lib/words/rules/trigger-words";

interface ActivateDialogProps {
  view: RuleView;
  backtestReading: BacktestReading;
  onClose: () => void;
}

/** Confirms activating a version, with its trigger and the most that it can move. */
export function ActivateDialog({ view, backtestReading, onClose }: ActivateDialogProps) {
  const { shown, definition, names, digest } = view;
  const { trigger } = definition;
  const flagged = view.checks.filter((check) => check.outcome === "LOOK");
  const isLast = view.signing === null || view.signing.viewer.completes;
  const verb = isLast ? "Activate" : "Sign for";
  const isArrival = trigger.type === "ON_FUNDS_TRANSFERRED";
  return (
    <ActDialog
      title={`${verb} version ${shown.number}?`}
      subject={{ act: "ACTIVATE", ruleId: view.id, version: shown.number, digest }}
      confirms={view}
      verb={isLast ? "Activate" : "Sign"}
      busyLabel={isLast ? "Activating" : "Signing"}
      icon={<GateOpenIcon />}
      kind="primary"
      keepLabel="Cancel"
      onClose={onClose}
    >
      <p className="mt-2 text-ink-2">{whenActive(view, isArrival)}</p>
      <EndingRuns {...view.endingRuns} />
      <DefinitionList className="mt-5 py-4 border-y border-rule">
        {view.name === definition.name ? null : (
          <>
            <dt>New name</dt>
            <dd>
              {definition.name}, replacing {view.name}
            </dd>
          </>
        )}
        <dt>Triggered by</dt>
        <dd>{actsOn(view)}</dd>
        {isArrival ? (
          <>
            <dt>Typical deposit</dt>
            <dd>{view.typicalInCents === null ? "None in 90 days" : formatCents(view.typicalInCents)}</dd>
          </>
        ) : (
          <>
            <dt>{accountName(names, trigger.accountId)} balance now</dt>
            <dd>{nowWords(view.facts.accounts[trigger.accountId]?.availableInCents ?? null)}</dd>
          </>
        )}
        <dt>{isArrival ? "A typical deposit" : "The first run"}</dt>
        <dd>{firstRunWords(view)}</dd>
        <dt>Can move</dt>
        <dd>{mostWords(mostOfRun(definition), view)}</dd>
        {flagged.length > 0 ? (
          <>
            <dt>Review</dt>
            <dd>
              {flagged.map((check) => (
                <span className="block font-normal" key={check.kind}>
                  {checkWords(check, names).title}
                </span>
              ))}
            </dd>
          </>
        ) : null}
        <Suspense>
          <BacktestReview reading={backtestReading} />
        </Suspense>
      </DefinitionList>
    </ActDialog>
  );
}

/** What follows this press, or the last signature. */
function whenActive({ activeVersion, signing }: RuleView, isArrival: boolean): string {
  if (signing !== null && !signing.viewer.completes) {
    const runs = activeVersion === null ? "runs" : `replaces version ${activeVersion} and runs`;
    return `One of ${signing.neededCount} signatures. With the last one it ${runs} without approval.`;
  }
  const begins = isArrival ? ", starting with the next deposit." : ".";
  return activeVersion === null
    ? `Runs without approval from now on${begins}`
    : `Replaces version ${activeVersion} immediately and runs without approval${begins}`;
}

function actsOn({ definition: { trigger }, names }: RuleView): string {
  switch (trigger.type) {
    case "ON_FUNDS_TRANSFERRED": {
      const least = trigger.minimumAmountInCents
        ? ` of ${formatCents(trigger.minimumAmountInCents)} or more`
        : "";
      return `Each deposit${least} to ${accountName(names, trigger.accountId)}`;
    }
    case "SCHEDULED":
      return capitalized(shortTriggerWords(trigger, names));
    case "MANUAL":
      return "Each manual run";
  }
}

type Moving = Pick<RuleView, "definition" | "facts" | "names" | "typicalInCents">;

/** What the first run would move as things are now, evaluated as a run is. */
export function firstRunWords({ definition, facts, names, typicalInCents }: Moving): string {
  const { trigger } = definition;
  const isArrival = trigger.type === "ON_FUNDS_TRANSFERRED";
  const amount = isArrival ? typicalInCents : (facts.accounts[trigger.accountId]?.availableInCents ?? null);
  if (amount === null)
    return isArrival ? "Unknown: no deposit in 90 days" : "Unknown: its balance is not known";
  const evaluation = evaluate(definition, withBase(facts, trigger.accountId, whatIfBase(trigger, amount)));
  if (evaluation.kind !== "PLANNED") return unknownWords(evaluation.missing, names);
  const { moves, stepIndexMatched } = evaluation.plan;
  const moved = moves.filter(({ outcome }) => outcome === "MOVE");
  const failed = moves.find(({ outcome }) => outcome === "FAILED");
  const stop = failed ? `${failureWords(failed, names)}: the run stops` : null;
  if (moved.length === 0) {
    const why = stop ?? (stepIndexMatched === null ? "no condition is met" : "every transfer is skipped");
    return `Would move nothing as things are now: ${why}`;
  }
  const sum = moved.reduce((total, { amountInCents }) => total + amountInCents, 0);
  const to = joinWords([...new Set(moved.map((move) => accountName(names, move.destinationAccountId)))]);
  return `Would move ${formatCents(sum)} to ${to} as things are now${stop === null ? "" : `; then ${stop}`}`;
}

function nowWords(cents: number | null): string {
  return cents === null ? "Unknown" : formatCents(cents);
}

const OWED_WORDS = {
  NEXT_PAYMENT_MINIMUM: "The next minimum payment, once per due date",
  LAST_STATEMENT_BALANCE: "The last statement, once per statement",
  ALL: "At most the amount owed",
} as const;

/** `Everything above $8,000.00 in Operating`: what its actions or its floor leave there. */
function allWords(
  most: Extract<MostOfRun, { kind: "ALL" }>,
  { names, facts }: Pick<Moving, "names" | "facts">,
): string {
  const [only, ...others] = most.sourceAccountIds;
  if (only === undefined || others.length > 0) {
    return "The full available balances of its sources, down to their floors";
  }
  const stays = Math.max(most.keepInCents, facts.accounts[only]?.floorInCents ?? 0);
  return stays > 0
    ? `Everything above ${formatCents(stays)} in ${accountName(names, only)}`
    : "The full available balance";
}

export function mostWords(most: MostOfRun, view: Omit<Moving, "typicalInCents">): string {
  const { definition, names } = view;
  const ids = most.destinationAccountIds;
  const [only] = ids;
  const kind = areAllPods(names, ids) ? "pods" : "accounts";
  const to = ids.length === 1 && only ? accountName(names, only) : `${ids.length} ${kind}`;
  switch (most.kind) {
    case "ALL":
      return `${allWords(most, view)}, to ${to}`;
    case "OWED":
      return `${OWED_WORDS[most.due ?? "ALL"]}, to ${to}`;
    case "SHARE":
      return `${percentWords(most.percentage)}, to ${to}`;
    case "UP_TO":
      return definition.trigger.type === "MANUAL"
        ? `Up to ${formatCents(most.amountInCents)}, to ${to}`
        : `Up to ${formatCents(most.amountInCents)} each time, to ${to}`;
  }
}
