"use client";

import type { ComponentProps } from "react";
import { LiveButton } from "@/components/ui/live-button";

export type Opened = "PALETTE" | "KEYS" | null;

let opened: Opened = null;
const listeners = new Set<() => void>();

/** Opens the palette or the shortcuts, or closes both. */
export function open(next: Opened): void {
  opened = next;
  for (const listener of listeners) listener();
}

export const readOpened = (): Opened => opened;

export const openedOnServer = (): Opened => null;

export function subscribeToOpened(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Opens the palette without a keyboard. */
export function PaletteButton(props: Omit<ComponentProps<"button">, "type" | "onClick">) {
  return <LiveButton {...props} aria-haspopup="dialog" onClick={() => open("PALETTE")} />;
}
