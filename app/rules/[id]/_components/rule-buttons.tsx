"use client";

import { Play, Trash2 } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import type { BacktestReading } from "@/app/rules/[id]/_components/backtest-section";
import type { RuleDialogKind } from "@/app/rules/[id]/_components/rule-dialog";
import { PageActions } from "@/components/layout/page-head";
import { Button, buttonClass } from "@/components/ui/button";
import { GateOpenIcon } from "@/components/ui/icons";
import { Link } from "@/components/ui/link";
import type { RuleView, UnreadableRuleView } from "@/lib/views/rules/read-rule-page";

// Loaded on demand: most visits only read the page.
const RuleDialog = lazy(() =>
  import("@/app/rules/[id]/_components/rule-dialog").then((module) => ({ default: module.RuleDialog })),
);

interface RuleButtonsProps {
  view: RuleView;
  backtestReading: BacktestReading;
}

/** The owners' actions for the shown version, in the page header. */
export function RuleButtons({ view, backtestReading }: RuleButtonsProps) {
  const [open, setOpen] = useState<RuleDialogKind | null>(null);
  const { shown, activeVersion, latestVersion, pausedAt } = view;
  const isActive = shown.state === "ACTIVE";
  const canActivate = !isActive && shown.state !== "DISCARDED";
  const isOnly = isOnlyVersion(view);
  const isBlocked = view.checks.some((check) => check.outcome === "BLOCKS");
  const close = () => setOpen(null);
  return (
    <>
      <PageActions className="flex-wrap justify-end max-sm:justify-start">
        {activeVersion === null ? (
          <Button kind="quiet" onClick={() => setOpen("DELETE")}>
            <Trash2 />
            Delete rule
          </Button>
        ) : null}
        {canActivate && shown.number === latestVersion && !isOnly ? (
          <Button kind="quiet" onClick={() => setOpen("DISCARD")}>
            Discard version {shown.number}
          </Button>
        ) : null}
        {isActive ? (
          <Button kind="quiet" onClick={() => setOpen("DEACTIVATE")}>
            Deactivate
          </Button>
        ) : null}
        <Link className={buttonClass({ kind: "outlined" })} href={`/rules/${view.id}/edit`}>
          Edit
        </Link>
        {isActive && pausedAt === null ? (
          <Link className={buttonClass({ kind: "outlined" })} href={`/rules/${view.id}/run`}>
            <Play />
            Run now
          </Link>
        ) : null}
        {isActive && pausedAt !== null ? (
          <Button kind="primary" onClick={() => setOpen("RESUME")}>
            <GateOpenIcon />
            Resume
          </Button>
        ) : null}
        {canActivate && !isBlocked && view.signing?.viewer.mayNot == null ? (
          <Button kind="primary" onClick={() => setOpen("ACTIVATE")}>
            <GateOpenIcon />
            {activationVerb(view)} version {shown.number}
          </Button>
        ) : null}
      </PageActions>
      {open ? (
        <Suspense fallback={null}>
          <RuleDialog open={open} view={view} backtestReading={backtestReading} onClose={close} />
        </Suspense>
      ) : null}
    </>
  );
}

/** Of several people, all but the last one sign. */
const activationVerb = ({ signing }: Pick<RuleView, "signing">) =>
  signing === null || signing.viewer.completes ? "Activate" : "Sign for";

/** Discarding the only version would delete the rule, so the button says Delete. */
function isOnlyVersion({ shown, versions }: RuleView): boolean {
  return !versions.some(({ number, state }) => number !== shown.number && state !== "DISCARDED");
}

// Loaded on demand, since every rule page has this button.
const DeactivateDialog = lazy(() =>
  import("@/app/rules/[id]/_components/rule-dialog").then((module) => ({ default: module.DeactivateDialog })),
);
const DeleteDialog = lazy(() =>
  import("@/app/rules/[id]/_components/rule-dialog").then((module) => ({ default: module.DeleteDialog })),
);

/** Deactivates a rule that cannot be shown, or deletes it if no version is active. */
export function UnreadableRuleButton({ view }: { view: UnreadableRuleView }) {
  const [isOpen, setIsOpen] = useState(false);
  const { id, name, activeVersion } = view;
  const dialog = { ruleId: id, name, onClose: () => setIsOpen(false) };
  return (
    <>
      <Button kind="quiet" onClick={() => setIsOpen(true)}>
        {activeVersion === null ? "Delete rule" : "Deactivate"}
      </Button>
      {isOpen ? (
        <Suspense fallback={null}>
          {activeVersion === null ? (
            <DeleteDialog {...dialog} />
          ) : (
            <DeactivateDialog {...dialog} version={activeVersion} />
          )}
        </Suspense>
      ) : null}
    </>
  );
}
