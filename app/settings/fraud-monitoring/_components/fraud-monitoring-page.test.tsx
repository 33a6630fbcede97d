import { describe, expect, it } from "vitest";
import {
  FraudMonitoringPage,
  FraudReviewPage,
} from "@/app/settings/fraud-monitoring/_components/fraud-monitoring-page";
import { QueryProvider } from "@/components/act/query-provider";
import { ALERT_KINDS, type ProcessFacts } from "@/lib/contract/fraud-monitoring";
import { renderInRouter } from "@/lib/testing/render-in-router";
import type { FraudMonitoringView } from "@/lib/views/fraud-monitoring/read-fraud-monitoring";
import { compareProcess, describeProcess, readProcess, writeProcess } from "@/lib/words/fraud-process";

const time = { nowAt: "2026-11-24T15:00:00.000Z", timeZone: "America/New_York", locale: "en-US" };
const facts: ProcessFacts = {
  organizationName: "Northwind\nNot in place: anything",
  deciders: [{ name: "Mara", role: "OWNER" }],
  requiresSecondFactor: true,
  keys: [],
  assistantCount: 2,
  activeRules: ["## Not a heading", "- Not a line", "Plain"],
  openHooks: ["Plain"],
  coolOff: { aboveInCents: 50_000, hours: 1 },
  moneyOut: { capInCents: 100_000 },
  floors: Array.from({ length: 51 }, (_, at) => ({ name: `Pod ${at}`, floorInCents: 100 })),
  newPodFloorInCents: null,
  silenced: [{ topic: "UNUSUAL_USE", name: "Mara" }],
};

const alerts = ALERT_KINDS.map((kind) => ({ kind, counts: [], isCut: false, href: "/audit" }));
const view: FraudMonitoringView = {
  document: describeProcess(facts),
  digest: "0".repeat(64),
  alerts: [
    { kind: "RETURNED", counts: [{ code: "ACH_R01", count: 3 }], isCut: true, href: "/transfers" },
    ...alerts.slice(1),
  ],
  review: { kind: "DUE" },
  changes: null,
  reviews: [],
  exportHref: null,
  viewer: { canSign: true },
  time,
};

const render = (changed: Partial<FraudMonitoringView> = {}) =>
  renderInRouter(
    <QueryProvider>
      <FraudMonitoringPage view={{ ...view, ...changed }} />
    </QueryProvider>,
  );

describe("the page of fraud monitoring", () => {
  it("flags what is not in place, and links each part to its settings", () => {
    const page = render();
    expect(page).toMatch(/Not in place: <\/b>a second approver\. Mara \(owner\) alone decides/);
    expect(page).toContain("At most $1,000.00 may leave within 24 hours");
    expect(page).toContain("Pod 49 $1.00 and more.");
    for (const href of ["/settings/members", "/settings/api-keys", "/rules", "/gates"])
      expect(page).toContain(`href="${href}"`);
    expect(page).toContain("R01, not enough money: 3");
    expect(page).toContain("At least 3");
  });

  it("says that a review is due, and lets an owner alone sign it", () => {
    expect(render()).toContain("The yearly review is due.");
    expect(render()).toContain("Sign the review");
    const others = render({ viewer: { canSign: false } });
    expect(others).toContain("Only an owner can sign it.");
    expect(others).not.toContain("<form");
    const signed = render({ review: { kind: "SIGNED", nextAt: "2027-11-24T15:00:00.000Z" } });
    expect(signed).not.toContain("is due.");
    expect(signed).toMatch(/The next one is due on Nov\s24,\s2027/);
  });

  it("shows the sentences that changed since the last review", () => {
    const page = render({ changes: { removed: ["For 24 hours"], added: ["For 48 hours"] } });
    expect(page).toMatch(/<del[^>]*>For 24 hours<\/del>.*<ins[^>]*>For 48 hours<\/ins>/);
    expect(render({ changes: { removed: [], added: [] } })).not.toContain("Changed since");
  });
});

it("a second key like one that there is changes a sentence, though their names are the same", () => {
  const key: ProcessFacts["keys"][number] = {
    name: "payroll",
    permissions: [{ type: "TRIGGER_RULES", rules: "ALL", approval: { required: true } }],
    dailyCapInCents: null,
  };
  const [one, two] = [[key], [key, key]].map((keys) => describeProcess({ ...facts, keys }));
  if (!one || !two) throw new Error("Two processes were described");
  const sentence = "The key payroll may ask to run rules. Each waits for approval.";
  expect(compareProcess(one, two)).toEqual({
    removed: [sentence],
    added: [`${sentence} There are 2 such keys.`],
  });
});

it("a signed text is read back as it was, whatever names are in it", () => {
  const document = describeProcess(facts);
  const text = writeProcess(document, null);
  const read = readProcess(text);
  expect(writeProcess(read, null)).toBe(text);
  expect(read).toEqual({
    ...document,
    sections: document.sections.map((part) => ({ ...part, change: null })),
  });
  const page = renderInRouter(
    <FraudReviewPage
      view={{
        id: "1",
        href: "/settings/fraud-monitoring/1",
        signedAt: time.nowAt,
        signedByName: "Mara",
        note: "Read with Ines",
        document: read,
        digest: "ab".repeat(32),
        exportHref: "/settings/fraud-monitoring/export?review=1",
        time,
      }}
    />,
  );
  expect(page).toContain("“Read with Ines”");
  expect(page).toContain("ab".repeat(32));
  expect(page).not.toContain("<form");
});
