"use client";

import { useRouter } from "next/navigation";
import { useCallback, useEffect, useRef, useState } from "react";
import { discardDraft, keepDraft, saveVersion } from "@/app/rules/editor-actions";
import { outcomeUnknown } from "@/components/act/answer-lost";
import { shownByPage } from "@/components/act/shown-by-page";
import { useAction } from "@/components/act/use-action";
import type { RuleDefinition } from "@/lib/contract/rules/rule";

export type SaveState =
  | { kind: "UNTOUCHED" }
  | { kind: "SAVING" }
  | { kind: "KEPT"; at: string }
  | { kind: "FAILED"; message: string };

interface Autosave {
  /** Increases with every change; 0 if there is nothing to save. */
  revision: number;
  input: Parameters<typeof keepDraft>[0];
  keptAt: string | null;
  onKept: (kept: { draftId: string; keptAt: string }) => void;
}

const PAUSE_MS = 700;
const UNKNOWN_IF_KEPT = outcomeUnknown("your changes may not be saved. They are still on this page.");

/** Saves a draft shortly after each change: one request at a time, always with the latest state. */
export function useAutosave({ revision, input, keptAt, onKept }: Autosave) {
  const [state, setState] = useState<SaveState>(
    keptAt ? { kind: "KEPT", at: keptAt } : { kind: "UNTOUCHED" },
  );
  const latest = useRef({ revision, input, onKept });
  latest.current = { revision, input, onKept };
  const kept = useRef(0);
  const isBusy = useRef(false);
  const isOver = useRef(false);

  const save = useCallback(async () => {
    if (isBusy.current || isOver.current) return;
    isBusy.current = true;
    // Each turn saves the latest state; ends when nothing changed during the request, or it failed.
    while (kept.current < latest.current.revision && !isOver.current) {
      const { revision: sent, input: work } = latest.current;
      setState({ kind: "SAVING" });
      const result = await keepDraft(work, shownByPage()).catch(() => UNKNOWN_IF_KEPT);
      if (isOver.current) break;
      if (result.kind !== "KEPT") {
        setState({ kind: "FAILED", message: result.message });
        break;
      }
      kept.current = sent;
      latest.current.onKept(result);
      setState({ kind: "KEPT", at: result.keptAt });
    }
    isBusy.current = false;
  }, []);

  useEffect(() => {
    if (revision === 0 || kept.current >= revision) return;
    // "Saved" would be false during the pause.
    setState({ kind: "SAVING" });
    const timer = setTimeout(() => void save(), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [revision, save]);

  useEffect(() => {
    const stop = new AbortController();
    window.addEventListener(
      "beforeunload",
      (event) => {
        if (kept.current < latest.current.revision && !isOver.current) event.preventDefault();
      },
      { signal: stop.signal },
    );
    return () => {
      stop.abort();
      // The page was left before the delay was over.
      void save();
    };
  }, [save]);

  /** The draft became a version or was discarded, so nothing is saved anymore. */
  const end = useCallback(
    (isEnded: boolean) => {
      isOver.current = isEnded;
      // What was edited just before the version was refused.
      if (!isEnded) void save();
    },
    [save],
  );

  return { state, save, end };
}

interface VersionOf {
  draftId: string;
  ruleId: string | null;
  expectedVersion: number | null;
  /** Stops or resumes autosaving. */
  end: (isEnded: boolean) => void;
}

export interface EditorVersion {
  refusal: string | null;
  isSaving: boolean;
  isDiscarding: boolean;
  refuse: (message: string | null) => void;
  save: (definition: RuleDefinition, reason: string) => void;
  discard: () => void;
}

const UNKNOWN_IF_SAVED = outcomeUnknown("it may or may not be saved. Try again: it is saved once.");
const UNKNOWN_IF_DISCARDED = outcomeUnknown("it may or may not be discarded. Try again.");

/** Saves a draft as a version or discards it, then leaves the editor. */
export function useVersion({ draftId, ruleId, expectedVersion, end }: VersionOf): EditorVersion {
  const router = useRouter();
  // Found in the browser, before anything is sent.
  const [problem, setProblem] = useState<string | null>(null);
  const saving = useAction(
    (version: { definition: RuleDefinition; reason: string }, shown) =>
      saveVersion({ draftId, ruleId, expectedVersion, ...version }, shown),
    {
      whenLost: UNKNOWN_IF_SAVED,
      isRepeatable: true,
      onRefused: ({ code }) => {
        end(false);
        // Reloads the page's data, which then has the newer version.
        if (code === "RULE_VERSION_CONFLICT") router.refresh();
      },
      afterwards: (to, { href }) => to.push(href),
    },
  );
  const discarding = useAction(discardDraft, {
    whenLost: UNKNOWN_IF_DISCARDED,
    onRefused: () => end(false),
    afterwards: (to) => to.push(ruleId === null ? "/rules/new" : `/rules/${ruleId}`),
  });

  const begin = () => {
    setProblem(null);
    saving.forget();
    discarding.forget();
    end(true);
  };
  return {
    refusal: problem ?? saving.message ?? discarding.message,
    isSaving: saving.isBusy,
    isDiscarding: discarding.isBusy,
    refuse: setProblem,
    save: (definition, reason) => {
      begin();
      saving.run({ definition, reason });
    },
    discard: () => {
      begin();
      discarding.run({ draftId, ruleId });
    },
  };
}
