/**
 * The moment and place for which a page is rendered. Every date of a page is written relative to it, on the
 * server, so that the browser's clock, zone and language never change what was rendered.
 */
export interface TimeContext {
  /** Business time of the organization when the page was rendered, ISO 8601 in UTC. */
  nowAt: string;
  /** IANA name of the viewer's time zone, e.g. `America/New_York`. */
  timeZone: string;
  /** BCP 47 tag; only names of months and weekdays follow it. */
  locale: string;
}
