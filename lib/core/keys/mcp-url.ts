/** The address that a client of MCP is given; the resource for which its tokens are made (RFC 8707). */
export function mcpUrl(appUrl: string): string {
  return `${appUrl}/mcp`;
}
