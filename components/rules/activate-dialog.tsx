"use client";

import { ActDialog } from "@/components/rules/act-dialog";
import { EndingRuns } from "@/components/rules/ending-runs";
import { DefinitionList } from "@/components/ui/definition-list";
import { GateOpenIcon } from "@/components/ui/icons";
import { formatCents } from "@/lib/contract/format-cents";
import type { RuleActions, RuleView } from "@/lib/contract/views/rule-view";

import { type MostOfRun, mostOfRun } from "@/lib/engine/most-of-a-run";
import { checkWords } from "@/lib/engine/words/activation-words";
import { accountName, areAllPods, percentWords } from "@/lib/engine/words/number-words";

import { capitalized } from "@/lib/engine/words/phrases";
import { shortTriggerWords } from "@/lib/engine/words/trigger-words";

interface ActivateDialogProps {
  view: RuleView;
  actions: RuleActions;
  onClose: () => void;
}

/** Confirms activating a version, with its trigger and the most that it can move. */
export function ActivateDialog({ view, actions, onClose }: ActivateDialogProps) {
  const { shown, activeVersion, definition, names, digest } = view;
  const { trigger } = definition;
  const flagged = view.checks.filter((check) => check.outcome === "LOOK");
  const isArrival = trigger.type === "ON_FUNDS_TRANSFERRED";
  return (
    <ActDialog
      title={`Activate version ${shown.number}?`}
      subject={{ act: "ACTIVATE", ruleId: view.id, version: shown.number, digest }}
      actions={actions}
      confirms={view}
      verb="Activate"
      busyLabel="Activating"
      icon={<GateOpenIcon />}
      kind="primary"
      keepLabel="Cancel"
      onClose={onClose}
    >
      <p className="mt-2 text-ink-2">
        {activeVersion === null
          ? "Runs without approval from now on"
          : `Replaces version ${activeVersion} immediately and runs without approval`}
        {isArrival ? ", starting with the next deposit." : "."}
      </p>
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
      </DefinitionList>
    </ActDialog>
  );
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

function nowWords(cents: number | null): string {
  return cents === null ? "Unknown" : formatCents(cents);
}

const OWED_WORDS = {
  NEXT_PAYMENT_MINIMUM: "The next minimum payment, once per due date",
  LAST_STATEMENT_BALANCE: "The last statement, once per statement",
  ALL: "At most the amount owed",
} as const;

function mostWords(most: MostOfRun, { definition, names }: RuleView): string {
  const ids = most.destinationAccountIds;
  const [only] = ids;
  const kind = areAllPods(names, ids) ? "pods" : "accounts";
  const to = ids.length === 1 && only ? accountName(names, only) : `${ids.length} ${kind}`;
  switch (most.kind) {
    case "ALL":
      return `The full available balance, to ${to}`;
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
