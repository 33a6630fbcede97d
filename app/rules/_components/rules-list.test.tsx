import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { RulesList, rulesTitle } from "@/app/rules/_components/rules-list";
import { RunBars } from "@/app/rules/_components/run-bars";
import { rulesSearchSchema } from "@/lib/contract/search/search-schemas";
import type { RuleRowView, RulesView } from "@/lib/views/rules/read-rules-page";

const row: RuleRowView = {
  id: "1",
  href: "/rules/1",
  name: "Set tax aside",
  line: "When money arrives in Client payments, sends 25% of it to Taxes.",
  state: "ACTIVE",
  next: { kind: "EACH_DEPOSIT" },
  lastRunAt: null,
  latestRuns: [],
  runCount: 0,
  movedInCents: 0,
  isAtLeast: false,
  lookAlike: null,
};
const view: RulesView = {
  rules: [row],
  search: rulesSearchSchema.parse({}),
  firstPosition: 1,
  matchCount: 1,
  previousHref: null,
  nextHref: null,
  isLong: false,
  counts: { ACTIVE: 1, PAUSED: 0, INACTIVE: 0 },
  waiting: [],
  waitingCount: 0,
  paused: [],
  viewer: { canDecide: true },
  time: { nowAt: "2026-11-20T16:26:00Z", timeZone: "UTC", locale: "en-US" },
};

test("the title counts the active rules", () => {
  const titled = (ACTIVE: number, INACTIVE = 2) => rulesTitle({ counts: { ACTIVE, PAUSED: 0, INACTIVE } });
  expect([titled(5), titled(1), titled(0), titled(0, 0), titled(13)]).toEqual([
    "5 rules route your money",
    "1 rule routes your money",
    "No active rules",
    "No rules yet",
    "13 rules route your money",
  ]);
});

test("the next run agrees with the rule's sentence, in the zone of its schedule", () => {
  const next = { kind: "AT", at: "2026-11-27T22:00:00Z", timeZone: "America/New_York" } as const;
  const line = "Every Friday at 5:00 PM, moves $620.00 from Operating to Owner’s pay.";
  const time = { ...view.time, timeZone: "America/New_York", viewerTimeZone: "Europe/Berlin" };
  const page = renderToStaticMarkup(<RulesList view={{ ...view, rules: [{ ...row, line, next }], time }} />);
  expect(page.replaceAll(/<[^>]+>/g, "").replaceAll("\u00a0", " ")).toContain("Fri, Nov 27, 5:00 PM EST");
});

test("a run that moved nothing is a dash, a failed one is distinct, and runs not drawn are counted", () => {
  const latestRuns = [
    { movedInCents: 100_000, hasFailed: false },
    { movedInCents: 50_000, hasFailed: false },
    { movedInCents: 0, hasFailed: false },
    { movedInCents: 0, hasFailed: true },
  ];
  const drawn = (more: Partial<RuleRowView>) =>
    renderToStaticMarkup(<RunBars row={{ ...row, latestRuns, runCount: 4, ...more }} />);
  const heights = [...drawn({}).matchAll(/<rect[^>]*height="([\d.]+)"/g)].map(([, height]) => Number(height));
  expect(heights).toEqual([24, 12, 2, 12]);
  expect(drawn({})).toContain('aria-label="4 runs, 1 of the latest 4 failed"');
  const fills = [...drawn({}).matchAll(/<rect class="([^"]*)"/g)].map(([, fill]) => fill);
  expect(new Set(fills).size).toBe(3);
  expect(drawn({ runCount: 1_000, isAtLeast: true })).toContain("latest 4 of over 1,000");
});

test("owners can review and create rules; others learn who can", () => {
  const waiting = [
    {
      href: "/rules/1",
      name: "Set tax aside",
      version: 4,
      activeVersion: 3,
      proposedBy: { kind: "API_KEY" as const, name: "claude-bookkeeping" },
      proposedAt: "2026-11-20T08:52:00Z",
    },
  ];
  const owner = renderToStaticMarkup(<RulesList view={{ ...view, waiting }} />);
  expect(owner).toContain("needs your review");
  expect(owner).toContain("Version 3 runs until you activate it.");
  expect(owner).toContain('href="/rules/new"');
  const viewer = renderToStaticMarkup(
    <RulesList view={{ ...view, waiting, viewer: { canDecide: false } }} />,
  );
  expect(viewer).toContain("is waiting for an owner or co-owner");
  expect(viewer).not.toContain("/rules/new");
  const empty = { ...view, rules: [], counts: { ACTIVE: 0, PAUSED: 0, INACTIVE: 0 } };
  expect(renderToStaticMarkup(<RulesList view={empty} />)).toContain("start from a template");
  expect(renderToStaticMarkup(<RulesList view={{ ...empty, viewer: { canDecide: false } }} />)).not.toContain(
    "/rules/new",
  );
});

test("a long list is paged with counts by status; an empty filter says so, and further notes are counted", () => {
  const long: RulesView = {
    ...view,
    isLong: true,
    matchCount: 60,
    firstPosition: 26,
    previousHref: "/rules?state=active",
    nextHref: "/rules?state=active&page=3",
    search: { state: "active", q: "tax", page: 2 },
    counts: { ACTIVE: 60, PAUSED: 5, INACTIVE: 435 },
    paused: [{ href: "/rules/2/paused", name: "Split", pausedAt: "2026-11-20T08:52:00Z" }],
  };
  const drawn = renderToStaticMarkup(<RulesList view={long} />);
  for (const reported of [
    "All 500",
    "Active 60",
    "Inactive 435",
    "26 to 26 of 60 rules",
    "4 more are paused too",
  ]) {
    expect(drawn).toContain(reported);
  }
  expect(drawn).toContain('href="/rules?state=inactive&amp;q=tax"');
  expect(drawn).toContain('href="/rules?state=active&amp;page=3"');
  expect(renderToStaticMarkup(<RulesList view={{ ...long, rules: [] }} />)).toContain("No results");
});

test("a rule whose name looks the same as another one's says which", () => {
  const alike = { kind: "RULE", name: "Set tax aside", otherId: "2", otherName: "Set tаx aside" } as const;
  const list = renderToStaticMarkup(
    <RulesList
      view={{
        ...view,
        rules: [
          { ...row, lookAlike: alike },
          { ...row, id: "3", name: "Pay rent" },
        ],
      }}
    />,
  );
  expect(list.match(/Set tax aside is not Set tаx aside \(with Cyrillic letters\)\./g)).toHaveLength(1);
});
