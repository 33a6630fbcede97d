import {
  type GetPromptResult,
  type Prompt,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";

export function listPrompts(): Prompt[] {
  return [];
}

export function getPrompt(name: string, _sent: Record<string, string>): GetPromptResult {
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no prompt «${name.slice(0, 60)}».`);
}
