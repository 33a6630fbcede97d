import { describe, expect, it } from "vitest";
import { LIFETIMES, REFRESH_GRACE_MS } from "@/lib/api/oauth/settings";
import * as limits from "@/lib/contract/limits";
import { INVITATION_LIFETIME_MS, MAXIMUM_INVITATIONS, MAXIMUM_MEMBERS } from "@/lib/contract/members";
import { DEVICES_PER_PERSON, MESSAGE_RETENTION_DAYS } from "@/lib/contract/notifications";
import {
  MAXIMUM_IMPORTED_LINES,
  MAXIMUM_PROPOSED_PAYEES,
  PAYEE_LINK_LIFETIME_MS,
} from "@/lib/contract/payee";
import { MAXIMUM_COMPARISONS } from "@/lib/contract/rules/comparison-count";
import { MAXIMUM_ACTIONS, MAXIMUM_CONDITIONS, MAXIMUM_STEPS } from "@/lib/contract/rules/draft";
import { EVENT_RETENTION_DAYS, KEPT_ANSWER_CHARACTERS } from "@/lib/contract/webhooks";
import { MAXIMUM_LISTED_RESOURCES } from "@/lib/contract/whoami";
import { REPLAYED_AT_MOST } from "@/lib/core/webhooks/redeliver";
import { WEEKS_AHEAD } from "@/lib/engine/backtest/ahead";
import { MAXIMUM_OCCASIONS } from "@/lib/engine/backtest/occasions";
import { listProjectFiles, readProjectFile } from "@/lib/testing/project-files";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WORDS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
const inWords = (count: number) => WORDS[count] ?? (count === 50 ? "fifty" : String(count));
const number = (value: number) => value.toLocaleString("en-US");

const retries = limits.UNKNOWN_BALANCE_RETRY_MINUTES;

/** Sentences of documents with the limits that they name, written from the constants. */
const SENTENCES: Record<string, string[]> = {
  "docs/rules.md": [
    `retries after ${retries.slice(0, -1).join(", ")} and ${retries.at(-1)} minutes`,
    `Below $${(limits.MINIMUM_TRANSFER_IN_CENTS / 100).toFixed(2)} nothing moves`,
  ],
  "docs/behavior/rules.md": [
    `${MAXIMUM_CONDITIONS} per group; at most ${MAXIMUM_STEPS} steps of ${MAXIMUM_ACTIONS} actions, and ${MAXIMUM_COMPARISONS} comparisons`,
    `ends after ${inWords(limits.MAXIMUM_CHAIN_DEPTH)} rules in a row and ${inWords(limits.MAXIMUM_RUNS_OF_A_CAUSE)} runs over all branches`,
    `at most ${inWords(limits.MAXIMUM_RUNS_OF_A_CAUSE)}, ${inWords(limits.MAXIMUM_CHAIN_DEPTH)} deep`,
    `movements and ${number(MAXIMUM_OCCASIONS)} occasions`,
    `the next ${WEEKS_AHEAD} weeks`,
  ],
  "docs/behavior/webhooks.md": [
    `At most ${limits.MAXIMUM_ENDPOINTS} endpoints`,
    `${number(REPLAYED_AT_MOST)} at a time, up to ${EVENT_RETENTION_DAYS} days back`,
    `${EVENT_RETENTION_DAYS} days for events, deliveries and attempts`,
    `the first ${number(KEPT_ANSWER_CHARACTERS)} characters of the response`,
  ],
  "docs/behavior/keys.md": [
    `Proposals past ${limits.APPROVAL_EXPIRY_HOURS} hours`,
    `At most ${MAXIMUM_LISTED_RESOURCES} of one permission`,
    `${limits.MAXIMUM_WAITING_PROPOSALS / 4} proposals are waiting`,
  ],
  "docs/behavior/approvals.md": [
    `At most ${limits.MAXIMUM_WAITING_PROPOSALS} proposals`,
    `at most ${limits.MAXIMUM_ENDPOINTS}, and each`,
    `at most ${DEVICES_PER_PERSON}`,
    `deleted after ${MESSAGE_RETENTION_DAYS} days`,
  ],
  "docs/behavior/http.md": [
    `at most ${limits.MAXIMUM_ACCOUNT_FILTER} different accounts`,
    `at most ${limits.MAXIMUM_BODY_BYTES / 1_024} KiB`,
    `at most ${number(limits.MAXIMUM_PAGE)};`,
    `${limits.MINIMUM_TRANSFER_IN_CENTS} to ${number(limits.MAXIMUM_TRANSFER_IN_CENTS)}`,
    `q=${limits.REQUESTS_PER_MINUTE};w=60`,
    `kept** for ${limits.IDEMPOTENCY_RETENTION_HOURS} hours`,
    `at most ${limits.DATE_WINDOW_DAYS} days`,
  ],
  "docs/behavior/accounts.md": [`at most ${limits.MAXIMUM_PROFILE_DAYS} days`],
  "docs/behavior/dashboard.md": [
    `at most ${limits.FILTERS_PER_LIST} per list`,
    `at most ${limits.MAXIMUM_FILTER_NAME_LENGTH} characters`,
  ],
  "docs/behavior/organizations.md": [
    `Invitations** last ${INVITATION_LIFETIME_MS / DAY_MS} days`,
    `${MAXIMUM_INVITATIONS} per organization, at most ${MAXIMUM_MEMBERS} members`,
    `less than ${inWords(limits.FRESH_SIGN_IN_MS / 60_000)} minutes old`,
  ],
  "docs/behavior/README.md": [`less than ${inWords(limits.FRESH_SIGN_IN_MS / 60_000)} minutes old`],
  "docs/behavior/payees.md": [
    `at most ${MAXIMUM_PROPOSED_PAYEES} payees of one key`,
    `for ${PAYEE_LINK_LIFETIME_MS / HOUR_MS} hours`,
    `at most ${MAXIMUM_IMPORTED_LINES} lines`,
  ],
  "docs/mcp.md": [`at most ${limits.MAXIMUM_BODY_BYTES / 1_024} KiB`],
  "docs/oauth.md": [
    `${limits.ACCESS_TOKEN_MINUTES} minutes`,
    `${LIFETIMES.refreshToken / 86_400} days, once, and again within ${REFRESH_GRACE_MS / 1_000} seconds`,
    `${limits.CONNECTION_DAYS} days from its consent`,
    `it ends after ${limits.UNUSED_CONNECTION_DAYS} days without use`,
  ],
};

/** With the line breaks of a document as spaces. */
const read = (path: string) => readProjectFile(path).replaceAll(/\s+/g, " ");

describe("limits in documents", () => {
  it.each(Object.entries(SENTENCES))("%s names those that the code keeps", (path, sentences) => {
    const text = read(path);
    expect(sentences.filter((sentence) => !text.includes(sentence))).toEqual([]);
  });

  it("are in the guides only as constants", () => {
    const guides = listProjectFiles().filter((path) => /^app\/docs\/.*\.mdx$/.test(path));
    expect(guides.length).toBeGreaterThan(10);
    const found = guides.flatMap((path) => {
      const text = readProjectFile(path)
        .replaceAll(/^```[\s\S]*?^```/gm, "")
        .replaceAll(/\s+/g, " ");
      return [...text.matchAll(LIMIT)].map(([limit]) => `${path}: ${limit}`);
    });
    expect(found.filter((limit) => !NOT_OURS.some((other) => limit.includes(other)))).toEqual([]);
  });
});

/** A number and its unit. */
const LIMIT =
  /\b\d[\d,]* (?:characters|minutes|hours|days|cents|KiB|endpoints|proposals|requests|seconds|attempts|items)\b.{0,24}/g;

/** Advice to callers, spans that SQL holds, and the time over which `RETRY_DELAYS_MS` add up: no constant has them. */
const NOT_OURS = [
  "keys-and-permissions.mdx: 24 hours on its own",
  "pagination.mdx: 6 hours",
  "rules.mdx: 90 days, and activates it",
  "webhooks.mdx: 24 hours",
];
