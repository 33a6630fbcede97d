/** `98.7%`; all of it only where nothing was given up. @param share 0 to 1 */
export function shareWords(share: number): string {
  if (share === 1) return "100%";
  // Rounded down: 99.96% is not all.
  return `${(Math.floor(share * 1_000) / 10).toFixed(1)}%`;
}
