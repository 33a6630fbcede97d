import { z } from "zod";

/** What the product's process holds at a moment, after a collection of its garbage. */
export const holdingSchema = z.object({
  heapBytes: z.number(),
  externalBytes: z.number(),
  rssBytes: z.number(),
  /** Sockets, timers and the like that keep a process alive, by kind. */
  resources: z.record(z.string(), z.number()),
  /** Of the process itself: what each request adds to it, it never gives back. */
  listeners: z.number(),
});
export type Holding = z.infer<typeof holdingSchema>;
