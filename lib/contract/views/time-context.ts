/**
 * The moment and place for which a page is rendered. Every date of a page is written relative to it, on the
 * server, so that the browser's clock, zone and language never change what was rendered.
 */
export interface TimeContext {
  /** Business time of the organization when the page was rendered, ISO 8601 in UTC. */
  nowAt: string;
  /**
   * IANA name of the organization's time zone, e.g. `America/New_York`: of its schedules, months and statements, and of
   * everything that is worked out by days.
   */
  timeZone: string;
  /** The reader's own zone, in which instants are shown; left out where it is not known or what is shown is the organization's. */
  viewerTimeZone?: string;
  /** BCP 47 tag; only names of months and weekdays follow it. */
  locale: string;
}
