"use client";

import { createContext, use } from "react";

/** Which word of the sentences has its control open, for an editor in words. */
export interface PartSetting {
  /** Problems by part name. */
  problems: ReadonlyMap<string, string>;
  /** The part with the open control; only one at a time. */
  openPart: string | null;
  setOpenPart: (part: string | null) => void;
  /** Closes the open control and returns the focus to its word. */
  closePart: () => void;
}

const Setting = createContext<PartSetting | null>(null);
export const PartProvider = Setting.Provider;

export function useParts(): PartSetting {
  const setting = use(Setting);
  if (!setting) throw new Error("useParts was called outside of an editor in words");
  return setting;
}
