import { createHash } from "node:crypto";
import { z } from "zod";
import type { ListedEvent } from "@/lib/ports/bank/event-feed";
import { eventSchema } from "@/lib/ports/bank/mercury/call-mercury";

const identifiedSchema = z.object({ id: z.string().min(1).max(100) });
const datedSchema = z.object({ occurredAt: z.iso.datetime({ offset: true }) });

/** An event of Mercury's list; one that is not as documented says so, and delays no other. */
export function toListed(event: unknown): ListedEvent {
  const parsed = eventSchema.safeParse(event);
  if (parsed.success) {
    const { id, occurredAt, resourceType, resourceId } = parsed.data;
    return { id, createdAt: occurredAt, about: resourceType === "transaction" ? resourceId : null };
  }
  const where = parsed.error.issues[0]?.path.join(".") ?? "";
  const text = JSON.stringify(event) ?? "";
  const id = identifiedSchema.safeParse(event).data?.id ?? createHash("sha256").update(text).digest("hex");
  const dated = datedSchema.safeParse(event).data;
  const createdAt = dated ? new Date(dated.occurredAt) : new Date(0);
  return { id, createdAt, about: null, unreadable: `${where} of an event is not as documented` };
}
