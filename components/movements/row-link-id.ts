/** The link that opens a movement beside its list: where the focus comes back to. */
export function rowLinkId(id: string): string {
  return `movement-${id}`;
}
