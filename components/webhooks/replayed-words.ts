import type { ReplayResult } from "@/lib/contract/views/webhooks-view";

/** `12 deliveries are sent again.` */
export function replayedWords({ count, hasMore }: Extract<ReplayResult, { kind: "REPLAYED" }>): string {
  if (count === 0) return "Nothing failed since then.";
  if (hasMore) {
    return `${count.toLocaleString("en-US")} deliveries are sent again, and there are more: send again for the next.`;
  }
  return count === 1
    ? "1 delivery is sent again."
    : `${count.toLocaleString("en-US")} deliveries are sent again.`;
}
