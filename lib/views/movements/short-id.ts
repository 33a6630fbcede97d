/** An id shortened in the middle: `7c1e…44d0`. */
export function shortId(id: string): string {
  return `${id.slice(0, 4)}…${id.slice(-4)}`;
}
