import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { RuleButtons } from "@/app/rules/[id]/_components/rule-buttons";
import { ruleDefinitionSchema } from "@/lib/contract/rules/rule";
import type { RuleVersionState } from "@/lib/views/rules/list-versions";
import type { RuleView } from "@/lib/views/rules/read-rule-page";

const A = "aaaaaaaa-0000-4000-8000-000000000000";
const version = {
  number: 2,
  state: "PROPOSED",
  createdBy: { kind: "API_KEY", name: "claude-ops" },
  createdAt: "2026-11-20T12:00:00Z",
  reason: null,
  href: "/rules/1",
} as const;
const view: RuleView = {
  id: "1",
  name: "Set tax aside",
  viewer: { canDecide: true },
  hasPasskey: true,
  freshUntil: null,
  time: { nowAt: "2026-11-20T16:26:00Z", timeZone: "UTC", locale: "en-US" },
  signing: null,
  kind: "READABLE",
  proposedStops: [],
  definition: ruleDefinitionSchema.parse({
    name: "Set tax aside",
    trigger: { type: "MANUAL", accountId: A },
    steps: [
      {
        actions: [
          { type: "REMAINDER", sourceAccountId: A, destinationAccountId: A.replaceAll("a", "b"), group: 0 },
        ],
      },
    ],
  }),
  shown: version,
  latestVersion: 2,
  activeVersion: 1,
  pausedAt: null,
  names: {},
  facts: {
    at: "2026-11-20T16:26:00Z",
    date: "2026-11-20",
    incomingAmountInCents: null,
    isApprovedByPerson: false,
    accounts: {},
    limitsUsedInCents: {},
  },
  comparedWith: null,
  checks: [],
  digest: "",
  typicalInCents: null,
  versions: [version, { ...version, number: 1, state: "ACTIVE" }],
  runs: [],
  skipped: [],
  nextRuns: [],
  endingRuns: { count: 0, listed: [] },
  events: [],
};

/** The labels of what can be pressed. */
function offered(more: Partial<RuleView>, state: RuleVersionState = "PROPOSED"): string[] {
  const page = renderToStaticMarkup(
    <RuleButtons
      view={{ ...view, ...more, shown: { ...version, state } }}
      backtestReading={Promise.resolve(null)}
    />,
  );
  return [...page.matchAll(/<(?:button|a)\b[^>]*>(.*?)<\/(?:button|a)>/g)].map(([, inner = ""]) =>
    inner
      .replaceAll(/<[^>]+>/g, " ")
      .replaceAll(/\s+/g, " ")
      .trim(),
  );
}

describe("a version of a rule", () => {
  test("can be activated unless a check blocks it", () => {
    const check = (outcome: "CLEAR" | "LOOK" | "BLOCKS") => ({
      checks: [{ kind: "ACCOUNTS_OPEN" as const, outcome, accountIds: [] }],
    });
    expect(offered(check("CLEAR"))).toContain("Activate version 2");
    expect(offered(check("LOOK"))).toContain("Activate version 2");
    expect(offered(check("BLOCKS"))).toEqual(["Discard version 2", "Edit"]);
  });

  test("that was discarded or is active is not activated", () => {
    expect(offered({}, "DISCARDED")).not.toContain("Activate version 2");
    expect(offered({ activeVersion: 2 }, "ACTIVE")).toEqual(["Deactivate", "Edit", "Run now"]);
  });

  test("that is paused is resumed, not run", () => {
    expect(offered({ activeVersion: 2, pausedAt: "2026-11-20T12:00:00Z" }, "ACTIVE")).toEqual([
      "Deactivate",
      "Edit",
      "Resume",
    ]);
  });
});
