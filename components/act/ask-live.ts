import { pollHref } from "@/components/act/shown-by-page";
import { type ElsewhereView, parseElsewhere } from "@/lib/contract/browser/elsewhere";
import { type LiveView, parseLiveView } from "@/lib/contract/browser/live";

/** The session ended: stop polling. */
export class SignedOut extends Error {}

/** The session is another member's, or in another organization, than this page. */
export class ShownElsewhere extends Error {
  constructor(readonly view: ElsewhereView) {
    super("Another member or organization was chosen in another tab");
  }
}

let last: { etag: string; view: LiveView } | null = null;

/**
 * What waits and what changed; a cheap 304 while nothing did.
 * @throws SignedOut; ShownElsewhere; Error for any other unusable answer
 */
export async function askLive(signal: AbortSignal): Promise<LiveView> {
  const response = await fetch(pollHref("/live"), {
    signal,
    cache: "no-store",
    headers: last ? { "if-none-match": last.etag } : {},
  });
  if (response.status === 304 && last) return last.view;
  if (response.status === 401) throw new SignedOut("The session has ended");
  if (response.status === 409) throw new ShownElsewhere(parseElsewhere(await response.json()));
  if (!response.ok) throw new Error(`GET /live answered ${response.status}`);
  const view = parseLiveView(await response.json());
  const etag = response.headers.get("etag");
  last = etag ? { etag, view } : null;
  return view;
}
