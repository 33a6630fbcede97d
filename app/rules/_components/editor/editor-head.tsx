"use client";

import { ArrowRight, CircleDashed } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import type { EditorVersion, SaveState } from "@/app/rules/_components/editor/use-saving";
import { Crumb } from "@/components/layout/crumb";
import { PageActions, PageHeadRow } from "@/components/layout/page-head";
import { formatClock } from "@/components/time/format-instant";
import { Button } from "@/components/ui/button";
import { FactLine } from "@/components/ui/fact-line";
import { LiveButton } from "@/components/ui/live-button";
import { Note } from "@/components/ui/note";
import { Status } from "@/components/ui/status";
import { LINK_BUTTON, PAGE_TITLE } from "@/components/ui/text-styles";
import type { TimeContext } from "@/lib/contract/time-context";
import type { EditedRuleView } from "@/lib/views/rules/read-rule-editor";

// The page has a bound, and most drafts are kept and edited by one person.
const DiscardDialog = lazy(() =>
  import("@/app/rules/_components/editor/discard-dialog").then((module) => ({
    default: module.DiscardDialog,
  })),
);
const Meanwhile = lazy(() =>
  import("@/app/rules/_components/editor/discard-dialog").then((module) => ({ default: module.Meanwhile })),
);

interface EditorHeadProps {
  rule: EditedRuleView | null;
  /** The name in the draft. */
  name: string;
  time: TimeContext;
  saving: SaveState;
  onSaveAgain: () => void;
  baseVersion: number | null;
  onRebase: (version: number) => void;
  version: EditorVersion;
  onReview: () => void;
}

/** The page header: title, save state, and the Discard and Review buttons. */
export function EditorHead(props: EditorHeadProps) {
  const { rule, name, saving, version, onReview } = props;
  const next = rule?.nextVersion ?? 1;
  const [isAsking, setIsAsking] = useState(false);
  // Without changes, there is nothing to lose.
  const askOrLeave = () => (saving.kind === "UNTOUCHED" ? version.discard() : setIsAsking(true));
  return (
    <>
      {isAsking ? (
        <Suspense>
          <DiscardDialog isNew={rule === null} version={version} onKeep={() => setIsAsking(false)} />
        </Suspense>
      ) : null}
      <Crumb
        ways={[
          { href: "/rules", label: "Rules" },
          rule ? { href: rule.href, label: rule.name } : { href: "/rules/new", label: "New rule" },
        ]}
        here="Edit"
      />
      <PageHeadRow className="mb-5" isGridOnPhones>
        <div>
          <h1 className={PAGE_TITLE}>{name.trim() || "New rule"}</h1>
          <FactLine className="mt-2.5">
            <Status tone="mute" icon={<CircleDashed />}>
              {rule ? `Draft of version ${next}` : "Draft of a new rule"}
            </Status>
            {rule?.activeVersion ? <span>Version {rule.activeVersion} keeps running.</span> : null}
            <SavedWhen {...props} />
          </FactLine>
        </div>
        <PageActions className="max-sm:justify-between">
          <Button kind="quiet" busy={version.isDiscarding} onClick={askOrLeave}>
            Discard draft
          </Button>
          <Button kind="primary" busy={version.isSaving} onClick={onReview}>
            {version.isSaving ? "Saving" : `Review version ${next}`}
            <ArrowRight />
          </Button>
        </PageActions>
      </PageHeadRow>
      <div role="status" className="[&:not(:empty)]:mb-5 [&+.notice]:mb-5">
        {version.refusal ? <Note>{version.refusal}</Note> : null}
      </div>
      {isOutdated(props) ? (
        <Suspense>
          <Meanwhile
            rule={rule}
            baseVersion={props.baseVersion}
            onRebase={props.onRebase}
            version={version}
          />
        </Suspense>
      ) : null}
    </>
  );
}

function SavedWhen({ saving, time, onSaveAgain }: EditorHeadProps) {
  switch (saving.kind) {
    case "UNTOUCHED":
      return <span>No changes yet</span>;
    case "SAVING":
      return <span role="status">Saving</span>;
    case "KEPT":
      return <span role="status">Saved {formatClock(saving.at, time)}</span>;
    case "FAILED":
      return (
        <span role="alert">
          Not saved. {saving.message}{" "}
          <LiveButton className={LINK_BUTTON} onClick={onSaveAgain}>
            Retry
          </LiveButton>
        </span>
      );
  }
}

function isOutdated({ rule, baseVersion }: Pick<EditorHeadProps, "rule" | "baseVersion">): boolean {
  return rule !== null && baseVersion !== null && baseVersion !== rule.latestVersion;
}
