import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { RulesList } from "@/components/rules/rules-list";
import { rulesTitle } from "@/components/rules/rules-title";
import { RunBars } from "@/components/rules/run-bars";
import type { RuleRowView, RulesView } from "@/lib/contract/views/rules-view";

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
};
const view: RulesView = {
  rules: [row],
  hasMore: false,
  activeCount: 1,
  waiting: [],
  paused: [],
  viewer: { canDecide: true },
  time: { nowAt: "2026-11-20T16:26:00Z", timeZone: "UTC", locale: "en-US" },
};

test("the title says how many rules route money, and when none does", () => {
  const titled = (activeCount: number, rules = view.rules) => rulesTitle({ activeCount, rules });
  expect([titled(5), titled(1), titled(0), titled(0, []), titled(13)]).toEqual([
    "Five rules route your money",
    "One rule routes your money",
    "No rule is active",
    "No rules yet",
    "13 rules route your money",
  ]);
});

test("a run that moved nothing is a dash, one that failed is told apart, and what is not drawn is counted", () => {
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
  expect(drawn({})).toContain('class="f"');
  expect(drawn({ runCount: 1_000, isAtLeast: true })).toContain("latest 4 of over 1,000");
});

test("who may decide is asked to review and may begin a rule; who may not is told who does", () => {
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
  expect(owner).toContain("waits for you");
  expect(owner).toContain("Version 3 runs until you activate it.");
  expect(owner).toContain('href="/rules/new"');
  const viewer = renderToStaticMarkup(
    <RulesList view={{ ...view, waiting, viewer: { canDecide: false } }} />,
  );
  expect(viewer).toContain("waits for an owner or co-owner");
  expect(viewer).not.toContain("/rules/new");
  const empty = { ...view, rules: [], activeCount: 0 };
  expect(renderToStaticMarkup(<RulesList view={empty} />)).toContain("start from a rule that works");
  expect(renderToStaticMarkup(<RulesList view={{ ...empty, viewer: { canDecide: false } }} />)).not.toContain(
    "/rules/new",
  );
});
