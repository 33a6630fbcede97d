"use client";

import { createContext, type ReactNode, useContext, useMemo, useState } from "react";

interface KeyMemory {
  key: string;
  setKey: (key: string) => void;
}

const KeyContext = createContext<KeyMemory>({ key: "", setKey: () => {} });

/**
 * Holds the reader's API key while the reference is open, from page to page: in this memory and nowhere else, so that
 * it is gone with the tab, and never in an address, a storage or a form's history.
 */
export function KeyMemoryProvider({ children }: { children: ReactNode }) {
  const [key, setKey] = useState("");
  const memory = useMemo(() => ({ key, setKey }), [key]);
  return <KeyContext value={memory}>{children}</KeyContext>;
}

export function useKeyMemory(): KeyMemory {
  return useContext(KeyContext);
}
