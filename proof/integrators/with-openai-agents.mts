import { Agent, MCPServerStreamableHttp, run } from "@openai/agents";

const sluice = new MCPServerStreamableHttp({
  url: process.env.SLUICE_MCP_URL ?? "",
  requestInit: { headers: { Authorization: `Bearer ${process.env.SLUICE_KEY}` } },
});

await sluice.connect();
try {
  const bookkeeper = new Agent({
    name: "Bookkeeper",
    model: "gpt-5.1",
    instructions: "You move money with Sluice. Try a transfer before you propose it.",
    mcpServers: [sluice],
  });
  const result = await run(bookkeeper, "Set aside $125 for taxes, and say who has to approve.", {
    maxTurns: 10,
  });
  console.log(result.finalOutput);
} finally {
  await sluice.close();
}
