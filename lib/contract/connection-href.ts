/** The page of one connection. */
export function connectionHref(id: string): string {
  return `/connections/${id}`;
}
