import { Chapter, type Guide, GuideCode, Points } from "@/components/docs/guide";
import { Prose } from "@/components/docs/prose";

import { DEFAULT_PAGE_SIZE, MAXIMUM_PAGE_SIZE } from "@/lib/contract/limits";

export const pagination: Guide = {
  slug: "pagination",
  title: "Pagination and windows",
  chapter: "Working with it",
  heading: "Lists come in pages, and some in a window of 90 days",
  lede: `Request \`page\` (from 1) and \`pageSize\` (default ${DEFAULT_PAGE_SIZE}, at most ${MAXIMUM_PAGE_SIZE}). Continue while \`hasNextPage\` is true.`,
  words: "page pageSize hasNextPage items window from to truncated 90 days freshness poll",
  Content,
};

function Content() {
  return (
    <>
      <GuideCode
        label="From the answer"
        text={`"items": [ … ],
"pagination": { "page": 2, "pageSize": 100, "hasNextPage": true }`}
      />
      <Points
        items={[
          "Movements come newest first. New ones shift items to the next page while you read: skip IDs that you have seen.",
          "There is no total: counting is expensive, and few callers need it.",
          "A page beyond the last is empty, not an error.",
          "A list field (`type`, `accountId`) may be repeated or separated with commas.",
          "`from` and `to` are date-times with a zone, both inclusive; `from` after `to` is refused.",
        ]}
      />
      <Chapter title="Windows">
        <Prose text="External transactions and the audit log reach back 90 days. An older `from` is moved up to that limit, and `window` says so:" />
        <GuideCode
          label="From the answer"
          text={`"window": {
  "from": "2026-08-22T13:40:12.345Z",
  "to": "2026-11-20T13:40:12.345Z",
  "truncated": true
}`}
        />
      </Chapter>
      <Chapter title="How often to poll">
        <Points
          items={[
            "Balances: at most every 6 hours. External accounts refresh about once per banking day; `balanceLastUpdatedAt` says when.",
            "Transfers: at most hourly; every 6 hours is enough.",
            "After a write: with growing intervals until the status is final. Right after the POST, a read may briefly answer 404.",
          ]}
        />
      </Chapter>
    </>
  );
}
