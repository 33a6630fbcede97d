import { createMCPClient } from "@ai-sdk/mcp";
import { openai } from "@ai-sdk/openai";
import { generateText, stepCountIs } from "ai";

const sluice = await createMCPClient({
  transport: {
    type: "http",
    url: process.env.SLUICE_MCP_URL ?? "",
    headers: { Authorization: `Bearer ${process.env.SLUICE_KEY}` },
  },
});

try {
  const { text } = await generateText({
    model: openai("gpt-5.1"),
    tools: await sluice.tools(),
    stopWhen: stepCountIs(10),
    prompt: "Set aside $125 for taxes. Try it first, then propose it, and say who has to approve.",
  });
  console.log(text);
} finally {
  await sluice.close();
}
