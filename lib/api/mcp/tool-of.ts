import { z } from "zod";
import { tools } from "@/lib/api/mcp/tools";

const toolCallSchema = z.object({ method: z.literal("tools/call"), params: z.object({ name: z.string() }) });

/** The tool that a message calls; null where that is none of those there are, whatever it is called. */
export function toolOf(message: object): string | null {
  const name = toolCallSchema.safeParse(message).data?.params.name;
  return name !== undefined && tools.has(name) ? name : null;
}
