import { readBusinessTime } from "@/lib/core/shared/read-business-time";
import { Backoffs, Outages } from "@/lib/platform/outages";

import type { Services } from "@/lib/platform/services";

/** Who has notices for organizations: a bank, a card network. */
interface Notifier {
  organizationsWithNotices(input: { realNow: Date; limit: number }): Promise<string[]>;
}

/** Bound of `limit` of such a port. */
const MAXIMUM_ASKED_FOR = 500;

/**
 * Rounds over the organizations that a notifier has something for. An organization whose notices fail rests, and keeps
 * nobody else waiting; so does the whole, while the notifier itself does not answer.
 */
export class NoticeRounds {
  readonly outages: Outages;
  /** Of organizations and of single notices whose fault is ours. */
  readonly faults: Backoffs;
  readonly #services: Pick<Services, "pool" | "clock" | "log">;
  readonly #notifier: Notifier;
  readonly #isUnavailable: (error: unknown) => boolean;

  /** @param isUnavailable whether an error says that the notifier did not answer */
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
   * @param collect applies what there is for one organization; answers whether there is more
   * @returns how many organizations were done, or `limit` where one of them has more to come.
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

  /** Beyond `limit` as many as may be resting, which are the longest due. */
  async #due(limit: number): Promise<string[]> {
    const realNow = this.#services.clock.now();
    const everybody = "everybody";
    if (this.outages.isBackingOff(everybody, realNow)) return [];
    const resting = this.outages.count + this.faults.count;
    try {
      const organizationIds = await this.#notifier.organizationsWithNotices({
        realNow,
        limit: Math.min(limit + resting, MAXIMUM_ASKED_FOR),
      });
      this.outages.answered(everybody);
      return organizationIds;
    } catch (error) {
      if (!this.#isUnavailable(error)) throw error;
      this.outages.failed(everybody, realNow, error, {});
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
    // One organization's trouble must not keep the others' money waiting; its notices come again.
    this.faults.failed(organizationId, businessNow);
    this.#services.log.error({ err: error, organizationId }, "notices could not be applied");
  }
}
