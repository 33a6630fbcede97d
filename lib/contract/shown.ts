/**
 * The member and the organization a page shows. A browser has several tabs and one session, which knows only who signed
 * in last and the organization chosen last: so every request of a page names the two that the page showed.
 */
export interface Shown {
  userId: string;
  organizationId: string;
  /** The proposal whose address selected the organization (`/?approvalTransferId=…`); null: the session did. */
  proposalId: string | null;
}

/** Field of forms that work without scripts, and parameter of polls and downloads; actions get it as an argument. */
export const SHOWN_FIELD = "shown";

const ID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const SHOWN = new RegExp(`^(${ID})~(${ID})(?:\\.(${ID}))?$`, "i");

/** `<user's id>~<organization's id>`, followed by `.<proposal's id>` where a proposal selected the organization. */
export function formatShown({ userId, organizationId, proposalId }: Shown): string {
  const shown = `${userId}~${organizationId}`;
  return proposalId === null ? shown : `${shown}.${proposalId}`;
}

/** Null: not sent by a page of ours. Parsed by hand, since it is in every page's scripts. */
export function parseShown(given: unknown): Shown | null {
  const [, userId, organizationId, proposalId = null] =
    (typeof given === "string" && SHOWN.exec(given)) || [];
  return userId === undefined || organizationId === undefined ? null : { userId, organizationId, proposalId };
}

/** The address of a download from a page that shows this member and organization. */
export function downloadHref(
  href: string,
  { organizationId, actor }: { organizationId: string; actor: { id: string } },
): string {
  return withShownField(href, formatShown({ userId: actor.id, organizationId, proposalId: null }));
}

/** An address of this server with what the page showed. */
export function withShownField(href: string, shown: string): string {
  return `${href}${href.includes("?") ? "&" : "?"}${new URLSearchParams({ [SHOWN_FIELD]: shown })}`;
}

/** What the page showed, of a poll or a download. */
export function shownOf(request: Request): string | null {
  return new URL(request.url).searchParams.get(SHOWN_FIELD);
}
