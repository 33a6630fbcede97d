import { expect, test } from "vitest";
import { ASSISTANTS, NO_ASSISTANTS } from "@/app/design/_components/assistant-examples";
import { AssistantsList } from "@/app/settings/assistants/_components/assistants-list";
import { Acting } from "@/components/act/acting";
import { renderInRouter } from "@/lib/testing/render-in-router";
import type { AssistantsView } from "@/lib/views/assistants/list-assistants";

const markupOf = (view: AssistantsView) =>
  renderInRouter(
    <Acting>
      <AssistantsList view={view} />
    </Acting>,
  );
const textOf = (view: AssistantsView) =>
  markupOf(view)
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ");

test("what an assistant does follows from its member's present role, and a reading one says why", () => {
  const text = textOf(ASSISTANTS);
  expect(text).toContain("One assistant can ask you, one only reads");
  expect(text).toContain("Reads everything, asks to move money and to run rules.");
  expect(text).toContain("Reads only , because Tomas is a viewer.");
  const [claude] = ASSISTANTS.assistants;
  if (!claude) throw new Error("The example has no assistant");
  const left = { ...claude, power: "NOTHING" as const, memberRole: null, isOwn: false };
  expect(textOf({ ...ASSISTANTS, assistants: [left] })).toContain(
    "Can do nothing , because Mara is no longer a member.",
  );
});

test("an empty list says what an assistant would do for this role, and how to connect one", () => {
  expect(textOf(NO_ASSISTANTS)).toContain("ask you before anything moves");
  const forViewer: AssistantsView = { ...NO_ASSISTANTS, viewer: { role: "VIEWER", canDecide: false } };
  const text = textOf(forViewer);
  expect(text).toContain("can only read what you can read");
  expect(text).not.toContain("ask you before");
  expect(text).toContain("Connect an assistant");
  expect(text).toContain("https://sluice.northwind.studio/mcp");
});

test("an ended connection says how it ended and offers no button", () => {
  const [claude] = ASSISTANTS.assistants;
  if (!claude) throw new Error("The example has no assistant");
  for (const [because, words] of [
    ["MEMBER", "Disconnected by Jonas Weil today at"],
    ["OPERATOR", "Disconnected by the operator today at"],
    ["CLIENT", "It gave up its access today at"],
    ["REUSE", "its access was used twice, so someone may have copied it."],
    ["EXPIRED", "because it was unused or a year old."],
  ] as const) {
    const state = { kind: "ENDED" as const, at: "2026-11-20T16:00:00Z", because, byName: "Jonas Weil" };
    const view = { ...ASSISTANTS, assistants: [{ ...claude, state, canDisconnect: false }] };
    expect(textOf(view)).toContain(words);
    expect(markupOf(view)).not.toMatch(/<button[^>]*>Disconnect/);
  }
});
