import type { Resource, TextResourceContents } from "@modelcontextprotocol/server";

export function listResources(): Resource[] {
  return [];
}

export function readResource(_uri: string): TextResourceContents | null {
  return null;
}
