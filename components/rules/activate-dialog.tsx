"use client";

import { ActDialog } from "@/components/rules/act-dialog";
import { GateOpenIcon } from "@/components/ui/icons";
import { formatCents } from "@/lib/contract/format-cents";
import type { RuleActions } from "@/lib/contract/views/rule-change";
import type { RuleView } from "@/lib/contract/views/rule-view";
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

/** Asks before a version acts on money by itself, with what it acts on and how much it can move. */
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
      hasPasskey={view.hasPasskey}
      verb="Activate"
      busyLabel="Activating"
      icon={<GateOpenIcon />}
      kind="primary"
      keepLabel="Not yet"
      onClose={onClose}
    >
      <p className="ink2 dialog-l">
        {activeVersion === null
          ? "It acts from now on without asking"
          : `It takes over from version ${activeVersion} at once and acts without asking`}
        {isArrival ? ", from the next arrival on." : "."}
      </p>
      <dl className="dl act-d">
        {view.name === definition.name ? null : (
          <>
            <dt>New name</dt>
            <dd>
              {definition.name}, in place of {view.name}
            </dd>
          </>
        )}
        <dt>Acts on</dt>
        <dd>{actsOn(view)}</dd>
        {isArrival ? (
          <>
            <dt>Typical arrival</dt>
            <dd>{view.typicalInCents === null ? "None in 90 days" : formatCents(view.typicalInCents)}</dd>
          </>
        ) : (
          <>
            <dt>{accountName(names, trigger.accountId)} has now</dt>
            <dd>{nowWords(view.facts.accounts[trigger.accountId]?.availableInCents ?? null)}</dd>
          </>
        )}
        <dt>Can move</dt>
        <dd>{mostWords(mostOfRun(definition), view)}</dd>
        {flagged.length > 0 ? (
          <>
            <dt>Look at</dt>
            <dd>
              {flagged.map((check) => (
                <span className="blk" key={check.kind}>
                  {checkWords(check, names).title}
                </span>
              ))}
            </dd>
          </>
        ) : null}
      </dl>
    </ActDialog>
  );
}

function actsOn({ definition: { trigger }, names }: RuleView): string {
  switch (trigger.type) {
    case "ON_FUNDS_TRANSFERRED": {
      const least = trigger.minimumAmountInCents
        ? ` of ${formatCents(trigger.minimumAmountInCents)} or more`
        : "";
      return `Each arrival${least} in ${accountName(names, trigger.accountId)}`;
    }
    case "SCHEDULED":
      return capitalized(shortTriggerWords(trigger, names));
    case "MANUAL":
      return "Each time that somebody runs it";
  }
}

function nowWords(cents: number | null): string {
  return cents === null ? "Not known" : formatCents(cents);
}

const OWED_WORDS = {
  NEXT_PAYMENT_MINIMUM: "The next minimum payment, once per due date",
  LAST_STATEMENT_BALANCE: "The last statement, once per statement",
  ALL: "No more than is owed",
} as const;

function mostWords(most: MostOfRun, { definition, names }: RuleView): string {
  const ids = most.destinationAccountIds;
  const [only] = ids;
  const kind = areAllPods(names, ids) ? "pods" : "accounts";
  const to = ids.length === 1 && only ? accountName(names, only) : `${ids.length} ${kind}`;
  switch (most.kind) {
    case "ALL":
      return `All that is available, to ${to}`;
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
