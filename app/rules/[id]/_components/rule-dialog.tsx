"use client";

import type { ReactNode } from "react";
import { ActDialog, RULE_UNKNOWN, RuleNotice } from "@/app/rules/[id]/_components/act-dialog";
import { ActivateDialog } from "@/app/rules/[id]/_components/activate-dialog";
import type { BacktestReading } from "@/app/rules/[id]/_components/backtest-section";
import { EndingRuns } from "@/app/rules/[id]/_components/ending-runs";
import { deactivateRule, deleteRule, discardVersion } from "@/app/rules/[id]/actions";
import { useAction } from "@/components/act/use-action";
import { Button } from "@/components/ui/button";
import { DIALOG_BUTTONS } from "@/components/ui/button-row";
import { Dialog } from "@/components/ui/dialog";
import { GateOpenIcon } from "@/components/ui/icons";
import type { RuleChangeResult } from "@/lib/contract/confirmation/decision";
import type { RuleTrigger } from "@/lib/contract/rules/trigger";
import type { EndingRunsView } from "@/lib/views/rules/list-ending-runs";
import type { RuleView } from "@/lib/views/rules/read-rule-page";
import { stoppedWords } from "@/lib/words/rules/trigger-words";

export type RuleDialogKind = "ACTIVATE" | "DEACTIVATE" | "RESUME" | "DISCARD" | "DELETE";

interface RuleDialogProps {
  open: RuleDialogKind;
  view: RuleView;
  backtestReading: BacktestReading;
  onClose: () => void;
}

/** The confirmation dialog of a button in the rule page's header. */
export function RuleDialog({ open, view, backtestReading, onClose }: RuleDialogProps) {
  switch (open) {
    case "ACTIVATE":
      return <ActivateDialog view={view} backtestReading={backtestReading} onClose={onClose} />;
    case "DEACTIVATE":
      return (
        <DeactivateDialog
          ruleId={view.id}
          version={view.shown.number}
          name={view.name}
          trigger={view.definition.trigger}
          endingRuns={view.endingRuns}
          onClose={onClose}
        />
      );
    case "RESUME":
      return <ResumeDialog view={view} onClose={onClose} />;
    case "DISCARD":
      return <DiscardDialog view={view} onClose={onClose} />;
    case "DELETE":
      return <DeleteDialog ruleId={view.id} name={view.name} onClose={onClose} />;
  }
}

interface DeactivateDialogProps {
  ruleId: string;
  version: number;
  name: string;
  /** Both unknown where the rule cannot be read. */
  trigger?: RuleTrigger;
  endingRuns?: EndingRunsView;
  onClose: () => void;
}

/** Without step-up, like closing all gates. */
export function DeactivateDialog(props: DeactivateDialogProps) {
  const { ruleId, version, name, trigger, endingRuns, onClose } = props;
  return (
    <PlainDialog
      title={`Deactivate ${name}?`}
      verb="Deactivate"
      keepLabel="Cancel"
      change={(shown) => deactivateRule({ ruleId, version }, shown)}
      beside={endingRuns ? <EndingRuns {...endingRuns} /> : null}
      onClose={onClose}
    >
      {`Version ${version} stops immediately: ${stoppedWords(trigger)}. Transfers on their way continue, and waiting runs end. You can activate it again later.`}
    </PlainDialog>
  );
}

function ResumeDialog({ view, ...rest }: Omit<RuleDialogProps, "open" | "backtestReading">) {
  return (
    <ActDialog
      {...rest}
      title={`Resume ${view.name}?`}
      subject={{ act: "RESUME", ruleId: view.id, version: view.shown.number, digest: "" }}
      confirms={view}
      verb="Resume"
      busyLabel="Resuming"
      icon={<GateOpenIcon />}
      kind="primary"
      keepLabel="Cancel"
    >
      <p className="mt-2 text-ink-2">
        It runs again without approval. Runs missed while paused won’t be repeated.
      </p>
    </ActDialog>
  );
}

function DiscardDialog({ view, onClose }: Omit<RuleDialogProps, "open" | "backtestReading">) {
  const { shown, activeVersion } = view;
  return (
    <PlainDialog
      title={`Discard version ${shown.number}?`}
      verb="Discard version"
      keepLabel="Cancel"
      leavesTo={`/rules/${view.id}`}
      change={(page) => discardVersion({ ruleId: view.id, version: shown.number }, page)}
      onClose={onClose}
    >
      {activeVersion === null
        ? "The previous version becomes the latest. Discarded versions stay readable."
        : `Version ${activeVersion} keeps running. Discarded versions stay readable.`}
    </PlainDialog>
  );
}

interface DeleteDialogProps {
  ruleId: string;
  name: string;
  onClose: () => void;
}

export function DeleteDialog({ ruleId, name, onClose }: DeleteDialogProps) {
  return (
    <PlainDialog
      title={`Delete ${name}?`}
      verb="Delete rule"
      keepLabel="Cancel"
      leavesTo="/rules"
      change={(shown) => deleteRule({ ruleId }, shown)}
      onClose={onClose}
    >
      No version is active, so nothing stops. This can’t be undone; its runs stay readable.
    </PlainDialog>
  );
}

interface PlainDialogProps {
  title: string;
  verb: string;
  keepLabel: string;
  /** The page to open afterwards; by default the refreshed one. */
  leavesTo?: string;
  /** Below the text. */
  beside?: ReactNode;
  /** @param shown by the page */
  change: (shown: string) => Promise<RuleChangeResult | { kind: "DELETED" }>;
  onClose: () => void;
  children: string;
}

/** For actions that move no money, which need no step-up. */
function PlainDialog(props: PlainDialogProps) {
  const { title, verb, keepLabel, leavesTo, change, onClose } = props;
  const changing = useAction((_input, shown) => change(shown), {
    whenLost: RULE_UNKNOWN,
    onDone: ({ kind }) => {
      if (isOver(kind)) onClose();
    },
    afterwards: (router, { kind }) => {
      if (isOver(kind) && leavesTo) router.push(kind === "DELETED" ? "/rules" : leavesTo);
      router.refresh();
    },
    refreshesWhenRefused: true,
  });
  return (
    <Dialog title={title} onCancel={onClose}>
      <p className="mt-2 text-ink-2">{props.children}</p>
      {props.beside}
      <RuleNotice refusal={changing.refusal} result={changing.result} />
      <div className={DIALOG_BUTTONS}>
        <Button kind="quiet" onClick={onClose}>
          {keepLabel}
        </Button>
        <Button kind="deny" busy={changing.isBusy} onClick={() => changing.run()}>
          {verb}
        </Button>
      </div>
    </Dialog>
  );
}

/** Done, and not stopped by a change in the meantime. */
function isOver(kind: string): boolean {
  return kind === "DONE" || kind === "DELETED";
}
