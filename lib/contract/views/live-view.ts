import { z } from "zod";

/** What `GET /live` answers: a schema, because it crosses the border to the browser as JSON. */
export const liveViewSchema = z.object({
  /** Proposals that wait. */
  waitingCount: z.number().int().min(0),
  /** Of what waits and was decided, of what moved, and of deliveries; each changes when any of it does. */
  stamps: z.object({ waiting: z.string(), money: z.string(), webhooks: z.string() }),
});

export type LiveView = z.infer<typeof liveViewSchema>;
