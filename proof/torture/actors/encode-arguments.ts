import { createRequire } from "node:module";
import { z } from "zod";

const clientSchema = z.object({
  encodeReply: z.custom<(args: readonly unknown[]) => Promise<string | FormData>>(
    (value) => typeof value === "function",
  ),
});

/** React's own client, in the release that Next bundles: an encoding of ours went stale, and every form was refused. */
const client = clientSchema.parse(
  createRequire(import.meta.url)("next/dist/compiled/react-server-dom-turbopack/client.node"),
);

/** The body with which a browser calls a server action with these arguments. */
export function encodeArguments(args: readonly unknown[]): Promise<string | FormData> {
  return client.encodeReply(args);
}
