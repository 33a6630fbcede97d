import { expect, it } from "vitest";
import { describeAssistants } from "@/lib/api/mcp/describe-assistants";
import { guidedTools } from "@/lib/api/mcp/guided-tools";
import { operations } from "@/lib/api/operations/table";

const { mcpUrl, tools } = describeAssistants("https://sluice.test");

it("names every tool once, so that nobody grants a permission for a tool that the guide does not show", () => {
  const names = [...operations.map(({ operationId }) => operationId), ...guidedTools.map(({ name }) => name)];
  expect(tools.map(({ name }) => name).sort()).toEqual(names.sort());
});

it("says of each operation what the caller needs, and of the others that they only show the way", () => {
  for (const { operationId, permission, summary } of operations) {
    const tool = { name: operationId, title: summary, permission, isGuide: false };
    expect(tools).toContainEqual(tool);
  }
  expect(tools.filter(({ isGuide }) => isGuide).map(({ name }) => name)).toEqual(
    guidedTools.map(({ name }) => name),
  );
});

it("gives the address that tokens are made for", () => {
  expect(mcpUrl).toBe("https://sluice.test/mcp");
});
