"use client";

import { createContext, use } from "react";
import type { DraftEdit } from "@/app/rules/_components/editor/draft-edit";
import type { RuleDraft } from "@/lib/contract/rules/draft";
import type { RuleFacts, UsageByPeriod } from "@/lib/contract/rules/facts";
import type { AccountNames } from "@/lib/contract/rules/rule-parts";
import type { TimeContext } from "@/lib/contract/time-context";
import type { EditorAccountView } from "@/lib/views/rules/read-rule-editor";

/** Shared by every part of the sentence. */
export interface EditorSetting {
  draft: RuleDraft;
  edit: (edit: DraftEdit) => void;
  accounts: readonly EditorAccountView[];
  names: AccountNames;
  facts: RuleFacts;
  limitsUsed: UsageByPeriod;
  time: TimeContext;
  /** Problems by part name. */
  problems: ReadonlyMap<string, string>;
  /** The part with the open control; only one at a time. */
  openPart: string | null;
  setOpenPart: (part: string | null) => void;
  /** Closes the open control and returns the focus to its word. */
  closePart: () => void;
}

const Setting = createContext<EditorSetting | null>(null);
export const EditorProvider = Setting.Provider;

export function useEditor(): EditorSetting {
  const setting = use(Setting);
  if (!setting) throw new Error("useEditor was called outside of the rule editor");
  return setting;
}
