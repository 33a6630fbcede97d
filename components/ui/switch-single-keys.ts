/** Switches single keys on or off for this page at once; the caller keeps the choice for the next one. */
export function switchSingleKeys(isOn: boolean): void {
  if (isOn) delete document.documentElement.dataset.keys;
  else document.documentElement.dataset.keys = "off";
}
