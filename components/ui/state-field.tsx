"use client";

import { type ComponentProps, type KeyboardEvent, useRef } from "react";
import { SelectField } from "@/components/ui/select-field";
import { STATE_OPTIONS, typedState } from "@/lib/contract/input/us-states";

/** Letters that follow within this time belong together, as in the browser's own search of a select. */
const TYPED_WITHIN_MS = 1_000;

/**
 * A US state, chosen by name. Typed, its code counts too: the browser searches names only, so that NY would choose
 * Nebraska by its first letter.
 */
export function StateField(
  field: Omit<ComponentProps<typeof SelectField>, "label" | "options" | "onKeyDown">,
) {
  const typed = useRef({ text: "", atMs: 0 });
  const search = (event: KeyboardEvent<HTMLSelectElement>) => {
    const { key, ctrlKey, metaKey, altKey, timeStamp, currentTarget } = event;
    if (key.length !== 1 || ctrlKey || metaKey || altKey) return;
    const isMore = timeStamp - typed.current.atMs < TYPED_WITHIN_MS;
    typed.current = { text: (isMore ? typed.current.text : "") + key, atMs: timeStamp };
    const code = typedState(typed.current.text);
    if (code === null) return;
    event.preventDefault();
    currentTarget.value = code;
    currentTarget.dispatchEvent(new Event("change", { bubbles: true }));
  };
  return <SelectField {...field} label="State" options={STATE_OPTIONS} onKeyDown={search} />;
}
