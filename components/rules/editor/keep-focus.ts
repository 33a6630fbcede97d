/** A line that moves is taken out of the page for a moment, and the focus with it: it is given back. */
export function keepFocus(): void {
  const before = document.activeElement;
  requestAnimationFrame(() => {
    if (before instanceof HTMLElement && before.isConnected && document.activeElement !== before)
      before.focus();
  });
}

/** What had the focus is about to go: the focus goes to what stays, not to the top of the page. */
export function focusSoon(elementId: string): void {
  requestAnimationFrame(() => document.getElementById(elementId)?.focus());
}
