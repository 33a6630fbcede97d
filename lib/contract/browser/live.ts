/** What `GET /live` answers. */
export interface LiveView {
  /** Proposals that wait. */
  waitingCount: number;
  /** Versions of rules that wait for their activation. */
  rulesCount: number;
  /** One each for what waits, money and deliveries; a stamp changes with any of its data. */
  stamps: { waiting: string; money: string; webhooks: string };
}

/**
 * Parsed by hand: a schema library, for these five fields, would be a tenth of every page's scripts.
 * @throws Error for any other shape
 */
export function parseLiveView(answer: unknown): LiveView {
  const { waitingCount, rulesCount, stamps } = Object(answer);
  const { waiting, money, webhooks } = Object(stamps);
  const areStamps = [waiting, money, webhooks].every((stamp) => typeof stamp === "string");
  const areCounts = [waitingCount, rulesCount].every((count) => Number.isSafeInteger(count) && count >= 0);
  if (!areCounts || !areStamps) {
    throw new Error("GET /live returned an unexpected answer");
  }
  return { waitingCount, rulesCount, stamps: { waiting, money, webhooks } };
}
