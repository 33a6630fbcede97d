import { z } from "zod";

/**
 * What requests say that name something. Read by schemas of ours: what the SDK's own cannot read, it answers as a fault of
 * the server, and the mistake of a client would stand as ours in the audit log.
 */
export const callToolParams = z.looseObject({
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()).optional(),
});

export const getPromptParams = z.looseObject({
  name: z.string(),
  arguments: z.record(z.string(), z.string()).optional(),
});

export const readResourceParams = z.looseObject({ uri: z.string() });

/** There are no further pages, so a cursor names nothing. */
export const listParams = z.looseObject({ cursor: z.undefined().optional() });
