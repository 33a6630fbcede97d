"use client";

import { useState } from "react";

/**
 * The text of a field of a setting: what is stored until someone types, and again as soon as something else is stored.
 * Keying the form by what is stored would do the same, but take "Saved." away with the old form.
 */
export function useStoredField(stored: string) {
  const [typed, setTyped] = useState({ over: stored, text: stored });
  const text = typed.over === stored ? typed.text : stored;
  return [text, (next: string) => setTyped({ over: stored, text: next })] as const;
}
