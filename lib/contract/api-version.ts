/** Of the API and of the MCP server, which offer the same operations. */
export const API_VERSION = "1.0.0";
