"use client";

import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";
import type { Refused } from "@/lib/contract/refused";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import type { RuleEditorActions } from "@/lib/contract/views/rule-editor-view";

interface VersionOf {
  actions: RuleEditorActions;
  draftId: string;
  ruleId: string | null;
  expectedVersion: number | null;
  /** Tells the autosave that there is no draft any more, or that there is one again. */
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

const UNKNOWN: Refused = {
  kind: "REFUSED",
  message:
    "Sluice did not answer, so we do not know whether it was saved. Press again: one draft makes one version.",
};
const NOT_DISCARDED: Refused = { kind: "REFUSED", message: "Sluice did not answer. Press again." };

/** Saves a draft as a version, or throws it away, and leaves the editor. */
export function useVersion({ actions, draftId, ruleId, expectedVersion, end }: VersionOf): EditorVersion {
  const router = useRouter();
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isSaving, startSaving] = useTransition();
  const [isDiscarding, startDiscarding] = useTransition();

  const save = (definition: RuleDefinition, reason: string) =>
    startSaving(async () => {
      setRefusal(null);
      end(true);
      const result = await actions
        .saveVersion({ draftId, ruleId, expectedVersion, definition, reason })
        .catch(() => UNKNOWN);
      if (result.kind === "SAVED") {
        router.push(result.href);
        return;
      }
      end(false);
      setRefusal(result.message);
      // The page then knows the version that was faster.
      if (result.code === "RULE_VERSION_CONFLICT") router.refresh();
    });

  const discard = () =>
    startDiscarding(async () => {
      setRefusal(null);
      end(true);
      const result = await actions.discardDraft({ draftId, ruleId }).catch(() => NOT_DISCARDED);
      if (result.kind === "DISCARDED") {
        router.push(ruleId === null ? "/rules/new" : `/rules/${ruleId}`);
        return;
      }
      end(false);
      setRefusal(result.message);
    });

  return { refusal, isSaving, isDiscarding, refuse: setRefusal, save, discard };
}
