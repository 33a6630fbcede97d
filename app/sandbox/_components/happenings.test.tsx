import { expect, test } from "vitest";
import { Happenings } from "@/app/sandbox/_components/happenings";
import { Acting } from "@/components/act/acting";
import { renderInRouter } from "@/lib/testing/render-in-router";
import type { SandboxView } from "@/lib/views/sandbox/read-sandbox-page";

/** An organization in which nothing has happened yet. */
const NEW: SandboxView = {
  canDrive: true,
  time: { nowAt: "2026-11-23T15:00:00.000Z", timeZone: "UTC", locale: "en-US" },
  realAt: "2026-11-23T15:00:00.000Z",
  days: [],
  dayFraction: 0,
  jumps: [],
  latestAt: "2027-11-23T15:00:00.000Z",
  receivers: [{ id: "01a00000-0000-7000-8000-000000000001", label: "Income" }],
  payerNames: [],
  cards: [{ id: "01a00000-0000-7000-8000-000000000002", label: "Studio ••4411" }],
  merchants: [],
  outsideAccounts: [],
  connections: [],
  pending: [],
  returnable: [],
  refusable: [],
  silentUntil: null,
  receiver: null,
  actions: [],
};

const render = (view: SandboxView) =>
  renderInRouter(
    <Acting>
      <Happenings view={view} />
    </Acting>,
  );

test("in a new organization every form opens filled in, so that one press deposits or buys", () => {
  const page = render(NEW);
  const fields = page.match(/<input[^>]*required[^>]*>/g) ?? [];
  expect(fields).toHaveLength(7);
  for (const field of fields) expect(field).toMatch(/value="[^"]+"/);
});

test("without an account there is no deposit form that could only be refused", () => {
  const page = render({ ...NEW, receivers: [] });
  expect(page).toContain("There is no pod or income source yet.");
  expect(page).not.toContain("Who pays");
});
