import { Client as Client2, StreamableHTTPClientTransport as Transport2 } from "@modelcontextprotocol/client";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as Transport1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

/** The two lines of the protocol's own SDK: each lists the tools and reads the accounts. */
export async function useMcpSdks(mcpUrl: string, apiKey: string) {
  const options = { requestInit: { headers: { Authorization: `Bearer ${apiKey}` } } };
  const information = { name: "sluice-integrators", version: "0.1.0" };
  const first = new Client1(information);
  await first.connect(new Transport1(new URL(mcpUrl), options));
  const second = new Client2(information);
  await second.connect(new Transport2(new URL(mcpUrl), options));
  const answers = [];
  for (const client of [first, second]) {
    const { tools } = await client.listTools();
    const { structuredContent } = await client.callTool({ name: "listAccounts", arguments: {} });
    answers.push({ tools: tools.map(({ name }) => name), structuredContent });
    await client.close();
  }
  return answers;
}
