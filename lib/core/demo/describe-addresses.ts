import type { DemoDescription } from "@/lib/contract/demo";

/** The three doors at this public address (decisions page, "Names, addresses, words"). */
export function describeAddresses(appUrl: string): Pick<DemoDescription, "appUrl" | "apiUrl" | "mcpUrl"> {
  return { appUrl, apiUrl: `${appUrl}/platform/v1`, mcpUrl: `${appUrl}/mcp` };
}
