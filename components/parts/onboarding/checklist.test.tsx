import { expect, test } from "vitest";
import { IdentityForm } from "@/app/welcome/identity/_components/identity-form";
import { Acting } from "@/components/act/acting";
import { Checklist } from "@/components/parts/onboarding/checklist";
import { renderInRouter } from "@/lib/testing/render-in-router";
import type { ChecklistItemView, ChecklistView } from "@/lib/views/read-onboarding";

const item = (fields: Pick<ChecklistItemView, "id"> & Partial<ChecklistItemView>): ChecklistItemView => ({
  isDone: false,
  isOptional: false,
  isUnderway: false,
  note: null,
  link: null,
  ...fields,
});

const VIEW: ChecklistView = {
  items: [
    item({ id: "IDENTITY", isDone: true, note: "Approved" }),
    item({ id: "PODS", link: { label: "Choose your own", href: "/welcome/pods" } }),
    item({ id: "MONEY", link: { label: "Open Income", href: "/accounts/1" } }),
    item({
      id: "PASSKEY",
      isOptional: true,
      link: { label: "Add a passkey", href: "/settings/security" },
    }),
  ],
  canDecide: true,
  starterPods: ["Profit", "Taxes"],
  testDepositInCents: 100_000,
  canEnd: true,
};

const render = (view: ChecklistView) =>
  renderInRouter(
    <Acting>
      <Checklist view={view} />
    </Acting>,
  );

test("each open step has its link or one press, and says whether it is optional", () => {
  const list = render(VIEW);
  expect(list).toContain("1 of 4 done");
  expect(list).toContain("Open 2 starter pods");
  expect(list).toContain("Get a test deposit of $1,000.00");
  expect(list).toContain('href="/settings/security"');
  expect(list.replaceAll(/<[^>]+>/g, "")).toContain("Add a passkey · optional");
  expect(list).toContain("Finish setup");
});

test("who may not decide sees the state and nothing to press", () => {
  const list = render({
    ...VIEW,
    canDecide: false,
    starterPods: null,
    testDepositInCents: null,
    canEnd: false,
  });
  expect(list).toContain("An owner or co-owner can do these.");
  expect(list).not.toMatch(/<button|<a /);
});

test("without a sandbox neither test money nor a sample identity is on the page", () => {
  expect(render({ ...VIEW, testDepositInCents: null })).not.toContain("test deposit");
  const form = (sample: Parameters<typeof IdentityForm>[0]["sample"]) =>
    renderInRouter(
      <Acting>
        <IdentityForm
          kind="INDIVIDUAL"
          organizationName="Mara Okafor"
          personName="Mara Okafor"
          sample={sample}
        />
      </Acting>,
    );
  expect(form(null)).not.toContain("sample");
  expect(form({ business: null, people: [] })).toContain("Use a sample identity");
});
