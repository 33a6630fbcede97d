"use client";

import { lazy, Suspense, useCallback, useMemo, useReducer, useState } from "react";
import { EditorProvider } from "@/app/rules/_components/editor/editor-context";
import { EditorHead } from "@/app/rules/_components/editor/editor-head";
import { isHeldByJson, openWork, reduceEditor, workOf } from "@/app/rules/_components/editor/editor-state";
import { RulePreview } from "@/app/rules/_components/editor/rule-preview";
import { useAutosave, useVersion } from "@/app/rules/_components/editor/use-saving";
import { WordsView } from "@/app/rules/_components/editor/words-view";
import { COLUMNS_WITH_WIDE_SIDE } from "@/components/layout/columns";
import { type EditTab, EditTabs } from "@/components/parts/sentences/edit-tabs";
import { PartProvider } from "@/components/parts/sentences/part-context";
import { useOpenPart } from "@/components/parts/sentences/use-open-part";
import { useIsLive } from "@/components/ui/live-button";
import type { ConditionDraft, RuleDraft } from "@/lib/contract/rules/draft";
import { toDefinition } from "@/lib/contract/rules/draft-to-definition";
import type { RuleEditorView } from "@/lib/views/rules/read-rule-editor";

// Most people edit in words.
const JsonView = lazy(() =>
  import("@/app/rules/_components/editor/json-view").then((module) => ({ default: module.JsonView })),
);

/**
 * Actions and comparisons of a rule that the server still draws. With as many as a body holds it would draw for a second,
 * in which it answers nobody else; the browser draws them anyway.
 */
const DRAWN_BY_SERVER = 40;

/** Edits a rule in words or as JSON: two views of one draft, which is saved continuously. */
export function RuleEditor({ view }: { view: RuleEditorView }) {
  const isLive = useIsLive();
  return isLive || partsOf(view.work.draft) <= DRAWN_BY_SERVER ? (
    <OpenEditor view={view} />
  ) : (
    <p className="mt-6 text-ink-3" role="status">
      Opening the rule
    </p>
  );
}

const partsOf = ({ steps }: RuleDraft) =>
  steps.reduce((count, { conditions, actions }) => count + comparisonsOf(conditions) + actions.length, 0);

const comparisonsOf = (part: ConditionDraft | null): number =>
  part?.kind === "GROUP" ? part.members.reduce((count, member) => count + comparisonsOf(member), 0) : 1;

function OpenEditor({ view }: { view: RuleEditorView }) {
  const [state, dispatch] = useReducer(reduceEditor, view.work, openWork);
  const [tab, setTab] = useState<EditTab>(isHeldByJson(state) ? "JSON" : "WORDS");
  const [openPart, setOpenPart] = useOpenPart();
  const [baseVersion, setBaseVersion] = useState(view.rule?.baseVersion ?? null);
  const [draftId, setDraftId] = useState(view.draftId);
  const ruleId = view.rule?.id ?? null;

  const { draft } = state;
  const asRule = useMemo(() => toDefinition(draft), [draft]);
  const names = useMemo(
    () =>
      Object.fromEntries(view.accounts.map(({ id, name, kind, isClosed }) => [id, { name, kind, isClosed }])),
    [view.accounts],
  );
  const problems = asRule.kind === "RULE" ? [] : asRule.problems;

  const autosave = useAutosave({
    revision: state.revision,
    input: { draftId, ruleId, baseVersion, work: workOf(state) },
    keptAt: view.keptAt,
    onKept: (kept) => {
      setDraftId(kept.draftId);
      // So that reloading the page finds the draft.
      if (ruleId === null) window.history.replaceState(null, "", `/rules/new/edit?draft=${kept.draftId}`);
    },
  });
  const version = useVersion({ draftId, ruleId, expectedVersion: baseVersion, end: autosave.end });

  const goTo = (part: string) => {
    setTab("WORDS");
    setOpenPart(part);
  };
  const review = () => {
    if (isHeldByJson(state)) {
      setTab("JSON");
      version.refuse("The JSON is not a valid rule yet. Fix the errors below.");
    } else if (asRule.kind !== "RULE") {
      const [first] = problems;
      version.refuse(problems.length === 1 ? "1 part is missing." : `${problems.length} parts are missing.`);
      if (first) goTo(first.part);
    } else if (ruleId !== null && state.revision === 0 && view.keptAt === null) {
      version.refuse("No changes since the previous version.");
    } else {
      version.save(asRule.definition, draft.reason);
    }
  };

  const setting = {
    draft,
    edit: useCallback((edit: Parameters<typeof toEvent>[0]) => dispatch(toEvent(edit)), []),
    accounts: view.accounts,
    names,
    facts: view.facts,
    limitsUsed: view.limitsUsed,
    time: view.time,
    problems: new Map(problems.map(({ part, message }) => [part, message])),
    openPart,
    setOpenPart,
    closePart: () => setOpenPart(null, openPart),
  };

  return (
    <EditorProvider value={setting}>
      <PartProvider value={setting}>
        <EditorHead
          rule={view.rule}
          name={draft.name}
          time={view.time}
          saving={autosave.state}
          onSaveAgain={() => void autosave.save()}
          baseVersion={baseVersion}
          onRebase={setBaseVersion}
          version={version}
          onReview={review}
        />
        <EditTabs current={tab} onPick={setTab} />
        <div className={`${COLUMNS_WITH_WIDE_SIDE} mt-1 [&_.field_.input]:text-[14px]`}>
          {tab === "WORDS" ? (
            <WordsView
              asRule={asRule}
              isHeld={isHeldByJson(state)}
              notice={state.notice}
              onDropJson={() => dispatch({ kind: "DROP_JSON" })}
              onShowJson={() => setTab("JSON")}
            />
          ) : (
            <Suspense>
              <JsonView
                state={state}
                ruleId={ruleId}
                onType={(text) => dispatch({ kind: "TYPE_JSON", text })}
                onDrop={() => dispatch({ kind: "DROP_JSON" })}
              />
            </Suspense>
          )}
          <RulePreview
            asRule={asRule}
            ruleId={ruleId ?? draftId}
            otherActiveRules={view.otherActiveRules}
            onGoTo={goTo}
          />
        </div>
      </PartProvider>
    </EditorProvider>
  );
}

function toEvent(edit: Extract<Parameters<typeof reduceEditor>[1], { kind: "EDIT" }>["edit"]) {
  return { kind: "EDIT" as const, edit };
}
