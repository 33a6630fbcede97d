/** What `GET /live` answers. */
export interface LiveView {
  /** Proposals that wait. */
  waitingCount: number;
  /** Of what waits and was decided, of what moved, and of deliveries; each changes when any of it does. */
  stamps: { waiting: string; money: string; webhooks: string };
}

/**
 * Read by hand: a library of schemas, for these four fields, would be a tenth of the scripts of every page.
 * @throws Error when the answer is of another shape
 */
export function parseLiveView(answer: unknown): LiveView {
  const { waitingCount, stamps } = Object(answer);
  const { waiting, money, webhooks } = Object(stamps);
  const areStamps = [waiting, money, webhooks].every((stamp) => typeof stamp === "string");
  if (!Number.isSafeInteger(waitingCount) || waitingCount < 0 || !areStamps) {
    throw new Error("GET /live answered something else than what waits");
  }
  return { waitingCount, stamps: { waiting, money, webhooks } };
}
