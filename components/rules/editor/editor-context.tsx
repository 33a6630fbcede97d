"use client";

import { createContext, use } from "react";
import type { DraftEdit } from "@/components/rules/editor/draft-edit";
import type { RuleDraft } from "@/lib/contract/rules/draft";
import type { RuleFacts } from "@/lib/contract/rules/facts";
import type { EditorAccountView } from "@/lib/contract/views/rule-editor-view";
import type { AccountNames } from "@/lib/contract/views/rule-parts";
import type { TimeContext } from "@/lib/contract/views/time-context";

/** What every part of the sentence needs. */
export interface EditorSetting {
  draft: RuleDraft;
  edit: (edit: DraftEdit) => void;
  accounts: readonly EditorAccountView[];
  names: AccountNames;
  facts: RuleFacts;
  time: TimeContext;
  /** What stands in the way, by the part's name. */
  problems: ReadonlyMap<string, string>;
  /** The part whose control is open; one at a time. */
  openPart: string | null;
  setOpenPart: (part: string | null) => void;
  /** Closes the open control, and gives the focus back to its word. */
  closePart: () => void;
}

const Setting = createContext<EditorSetting | null>(null);
export const EditorProvider = Setting.Provider;

export function useEditor(): EditorSetting {
  const setting = use(Setting);
  if (!setting) throw new Error("A part of the rule editor stands outside of it");
  return setting;
}
