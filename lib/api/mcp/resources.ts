import type { Resource, TextResourceContents } from "@modelcontextprotocol/server";
import { errorTable } from "@/lib/api/mcp/resources/error-table";
import { ruleExamplesText } from "@/lib/api/mcp/resources/rule-examples-text";
import { ruleSchemaText, ruleSpecification } from "@/lib/api/mcp/resources/rule-specification";

const MARKDOWN = "text/markdown";

interface ResourceRow extends Resource {
  mimeType: string;
  write: () => string;
}

/** What an agent may read before it acts. The same for everybody: nothing of an organization stands in here. */
const ROWS: readonly ResourceRow[] = [
  {
    uri: "sluice://rules/specification",
    name: "rules-specification",
    title: "How rules are written",
    description:
      "Triggers, conditions, actions, limits and schedules of rules, and how a run goes. Read it before createRule or updateRule.",
    mimeType: MARKDOWN,
    write: ruleSpecification,
  },
  {
    uri: "sluice://rules/schema",
    name: "rules-schema",
    title: "The schema of rules",
    description: "What createRule takes, as JSON Schema 2020-12.",
    mimeType: "application/schema+json",
    write: ruleSchemaText,
  },
  {
    uri: "sluice://rules/examples",
    name: "rules-examples",
    title: "Rules that work",
    description:
      "Examples from a share set aside to a waterfall and paying off debts, each in words and as createRule takes it.",
    mimeType: MARKDOWN,
    write: ruleExamplesText,
  },
  {
    uri: "sluice://api/errors",
    name: "api-errors",
    title: "Refusals, and what to do about them",
    description: "Every error code of the tools, what it means and what to do.",
    mimeType: MARKDOWN,
    write: errorTable,
  },
];

export function listResources(): Resource[] {
  return ROWS.map(({ write: _, ...resource }) => resource);
}

/** @returns null for an address that there is not. */
export function readResource(uri: string): TextResourceContents | null {
  const row = ROWS.find((one) => one.uri === uri);
  return row ? { uri, mimeType: row.mimeType, text: textOf(row) } : null;
}

/** Written once: the texts change with the version only. */
const written = new Map<string, string>();

function textOf({ uri, write }: ResourceRow): string {
  const text = written.get(uri) ?? write();
  written.set(uri, text);
  return text;
}
