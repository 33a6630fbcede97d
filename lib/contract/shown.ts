/**
 * The organization a page shows. A member of two organizations has two tabs, and the session knows only the one
 * chosen last: so every request of a page names the organization that the page showed.
 */
export interface Shown {
  organizationId: string;
  /** The proposal whose address selected the organization (`/?approvalTransferId=…`); null: the session did. */
  proposalId: string | null;
}

/** Header on every request of a page's scripts (instrumentation-client.ts). */
export const SHOWN_HEADER = "sluice-shown";
/** The same as a field of forms that work without scripts, and as a parameter of download addresses. */
export const SHOWN_FIELD = "shown";

const ID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const SHOWN = new RegExp(`^(${ID})(?:\\.(${ID}))?$`, "i");

/** `<organization's id>`, or `<organization's id>.<proposal's id>`. */
export function formatShown({ organizationId, proposalId }: Shown): string {
  return proposalId === null ? organizationId : `${organizationId}.${proposalId}`;
}

/** Null: not sent by a page of ours. Parsed by hand, since it is in every page's scripts. */
export function parseShown(given: unknown): Shown | null {
  const [, organizationId, proposalId = null] = (typeof given === "string" && SHOWN.exec(given)) || [];
  return organizationId === undefined ? null : { organizationId, proposalId };
}

/** The address of a download from a page that shows an organization. */
export function downloadHref(href: string, organizationId: string): string {
  const shown = new URLSearchParams({ [SHOWN_FIELD]: formatShown({ organizationId, proposalId: null }) });
  return `${href}${href.includes("?") ? "&" : "?"}${shown}`;
}
