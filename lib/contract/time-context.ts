/**
 * The moment and place a page is rendered for. Every date is written relative to it, on the server, so that the
 * browser's clock, zone and language never change what was rendered.
 */
export interface TimeContext {
  /** Business time of the organization when the page was rendered, ISO 8601 in UTC. */
  nowAt: string;
  /**
   * IANA name of the organization's time zone, e.g. `America/New_York`: for its schedules, months, statements and
   * everything computed by day.
   */
  timeZone: string;
  /** The reader's own zone for instants; omitted if unknown, or if the organization's applies. */
  viewerTimeZone?: string;
  /** BCP 47 tag; affects only names of months and weekdays. */
  locale: string;
}
