import type { AssistantsView, ToolView } from "@/lib/contract/views/reference-view";
import type { Operation } from "@/lib/doors/operations/operation";

/** Tools that are no operation: what a person does in the dashboard, said to an agent (specification, Part 5). */
const GUIDES: readonly Pick<ToolView, "name" | "title">[] = [
  { name: "connectExternalAccount", title: "How to connect an account elsewhere" },
  { name: "issueCard", title: "How to issue a card" },
  { name: "addUser", title: "How to add a member" },
  { name: "addBusinessBeneficiary", title: "How to add a business that may own accounts" },
  { name: "contactSupport", title: "How to reach whoever runs this Sluice" },
];

/**
 * The tools of the MCP server, from the same table that the server makes them of.
 * @param mcpUrl its address
 */
export function describeAssistants(operations: readonly Operation[], mcpUrl: string): AssistantsView {
  const tools = operations.map(({ operationId, summary, permission }) => ({
    name: operationId,
    title: summary,
    permission,
    isGuide: false,
  }));
  const guides = GUIDES.map((guide) => ({ ...guide, permission: null, isGuide: true }));
  return { mcpUrl, tools: [...tools, ...guides] };
}
