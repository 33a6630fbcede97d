import { readBusinessTime } from "@/lib/core/shared/read-business-time";
import { Backoffs, Outages } from "@/lib/platform/outages";
import type { Services } from "@/lib/platform/services";

/** What has notices for organizations: a bank, a card network. */
interface Notifier {
  organizationsWithNotices(input: { realNow: Date; limit: number }): Promise<string[]>;
}

/** The highest `limit` that these ports accept. */
const MAXIMUM_ASKED_FOR = 500;

/**
 * Rounds over the organizations that a notifier has notices for. An organization whose notices fail backs off without
 * delaying others; while the notifier itself does not answer, all rounds back off.
 */
export class NoticeRounds {
  readonly outages: Outages;
  /** Backoffs of organizations and single notices that failed with an internal error. */
  readonly faults: Backoffs;
  readonly #services: Pick<Services, "pool" | "clock" | "log">;
  readonly #notifier: Notifier;
  readonly #isUnavailable: (error: unknown) => boolean;

  /** @param isUnavailable whether an error means that the notifier did not answer */
  constructor(
    services: Pick<Services, "pool" | "clock" | "log">,
    notifier: Notifier,
    who: string,
    isUnavailable: (error: unknown) => boolean,
  ) {
    this.#services = services;
    this.#notifier = notifier;
    this.#isUnavailable = isUnavailable;
    this.outages = new Outages(services, who);
    this.faults = new Backoffs(services.clock);
  }

  /**
   * @param collect applies the notices of one organization; returns whether there are more
   * @returns how many organizations were processed, or `limit` if one of them has more.
   */
  async run(
    limit: number,
    collect: (organizationId: string, businessNow: Date) => Promise<boolean>,
  ): Promise<number> {
    const organizationIds = await this.#due(limit);
    let looked = 0;
    let failed = 0;
    let hasMore = false;
    for (const organizationId of organizationIds) {
      if (looked === limit) break;
      const businessNow = await readBusinessTime(this.#services, organizationId);
      if (this.#isBackingOff(organizationId, businessNow)) continue;
      looked += 1;
      try {
        hasMore = (await collect(organizationId, businessNow)) || hasMore;
        this.outages.answered(organizationId);
        this.faults.succeeded(organizationId);
      } catch (error) {
        failed += 1;
        this.#failed(organizationId, businessNow, error);
      }
    }
    return hasMore ? limit : looked - failed;
  }

  /** Organizations that back off are due longest, so they come first: asks for that many more than `limit`. */
  async #due(limit: number): Promise<string[]> {
    const realNow = this.#services.clock.now();
    const everyone = "everyone";
    if (this.outages.isBackingOff(everyone, realNow)) return [];
    const resting = this.outages.count + this.faults.count;
    try {
      const organizationIds = await this.#notifier.organizationsWithNotices({
        realNow,
        limit: Math.min(limit + resting, MAXIMUM_ASKED_FOR),
      });
      this.outages.answered(everyone);
      return organizationIds;
    } catch (error) {
      if (!this.#isUnavailable(error)) throw error;
      this.outages.failed(everyone, realNow, error, {});
      return [];
    }
  }

  #isBackingOff(organizationId: string, businessNow: Date): boolean {
    return (
      this.outages.isBackingOff(organizationId, businessNow) ||
      this.faults.isBackingOff(organizationId, businessNow)
    );
  }

  #failed(organizationId: string, businessNow: Date, error: unknown): void {
    if (this.#isUnavailable(error)) {
      this.outages.failed(organizationId, businessNow, error, { organizationId });
      return;
    }
    // One organization's error must not delay the others' money; its notices are not acknowledged and come again.
    this.faults.failed(organizationId, businessNow);
    this.#services.log.error({ err: error, organizationId }, "notices could not be applied");
  }
}
