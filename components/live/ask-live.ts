import { type ElsewhereView, parseElsewhere } from "@/lib/contract/views/elsewhere-view";
import { type LiveView, parseLiveView } from "@/lib/contract/views/live-view";

/** The session has ended: asking again is of no use. */
export class SignedOut extends Error {}

/** The session looks at another organization than this page shows. */
export class ShownElsewhere extends Error {
  constructor(readonly view: ElsewhereView) {
    super("Another organization was chosen in another tab");
  }
}

let last: { etag: string; view: LiveView } | null = null;

/**
 * What waits and what has changed; cheap for both sides while nothing does (304).
 * @throws SignedOut; ShownElsewhere; Error for every other answer that is of no use
 */
export async function askLive(signal: AbortSignal): Promise<LiveView> {
  const response = await fetch("/live", {
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
