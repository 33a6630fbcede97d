export const PROPOSAL_KINDS = ["transfer", "run"] as const;

/** URL state of the proposals that wait. */
export interface QueueSearch {
  /** A key, an assistant or a member. */
  requester: string | null;
  kind: (typeof PROPOSAL_KINDS)[number] | null;
  /** An account that it names. */
  account: string | null;
  /** In cents, both inclusive. */
  least: number | null;
  most: number | null;
}

/** All proposals that wait. */
export const EVERY_WAITING: QueueSearch = {
  requester: null,
  kind: null,
  account: null,
  least: null,
  most: null,
};

/** The filters of what waits as name-value pairs; amounts as people type them. */
export function queuePairs({ requester, kind, account, least, most }: QueueSearch): [string, string][] {
  const pairs: [string, string | null][] = [
    ["requester", requester],
    ["kind", kind],
    ["account", account],
    ["least", least === null ? null : typedAmount(least)],
    ["most", most === null ? null : typedAmount(most)],
  ];
  return pairs.flatMap(([name, value]): [string, string][] => (value === null ? [] : [[name, value]]));
}

/** `1250.00`, for an address or a field. */
export function typedAmount(amountInCents: number): string {
  return (amountInCents / 100).toFixed(2);
}

/** What waits, narrowed. */
export function queueHref(queue: QueueSearch): string {
  const pairs = queuePairs(queue);
  return pairs.length > 0 ? `/approvals?${new URLSearchParams(pairs)}` : "/approvals";
}

/** The last page of a review, in place of a proposal. */
export const REVIEW_END = "end";

/** A review of what waits, narrowed. @param at one of its proposals, or its end; null: the first that is not marked */
export function reviewHref(queue: QueueSearch, at: string | null = null): string {
  const pairs = queuePairs(queue);
  if (at !== null) pairs.push(["at", at]);
  return pairs.length > 0 ? `/approvals/review?${new URLSearchParams(pairs)}` : "/approvals/review";
}
