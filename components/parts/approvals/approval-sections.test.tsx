import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { TIME, WAITING } from "@/app/design/_components/approval-examples";
import { WhoAsks } from "@/components/parts/approvals/approval-sections";
import type { RequesterView } from "@/lib/contract/approvals/approval";

const textOf = (requester: RequesterView) =>
  renderToStaticMarkup(<WhoAsks requester={requester} time={TIME} />).replaceAll(/<[^>]+>/g, " ");

test("a key shows its uses and its record; a person has neither", () => {
  expect(textOf(WAITING.requester)).toMatch(/Last used.*Proposals approved.*43 of 47/);
  const person: RequesterView = {
    kind: "MEMBER",
    name: "Mara Okafor",
    createdByName: null,
    createdAt: null,
    lastUsedAt: null,
    lookAlike: null,
    approvedCount: 0,
    decidedCount: 0,
    recent: [],
  };
  expect(textOf(person).replaceAll(/\s+/g, " ").trim()).toBe("Requester Mara Okafor Member");
  expect(renderToStaticMarkup(<WhoAsks requester={person} time={TIME} />)).not.toContain("key askr-n");
});

test("a requester whose name looks like another one's says which", () => {
  const lookAlike = { kind: "KEY" as const, name: "mara-cli", otherName: "m\u0430ra-cli" };
  expect(textOf({ ...WAITING.requester, lookAlike }).replaceAll(/\s+/g, " ")).toContain(
    "Another key’s name looks the same. mara-cli is not m\u0430ra-cli (with Cyrillic letters). Check which one this is.",
  );
});
