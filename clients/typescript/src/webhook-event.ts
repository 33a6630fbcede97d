import { WebhookVerificationError } from "./errors.js";
import type { WebhookEvent } from "./generated.js";

/** A value known to this client, or one that a newer Sluice sends. */
type OpenValue<Known extends string> = Known | (string & Record<never, never>);

/**
 * A delivery's content: that something changed, not its current state. Read the resource with its GET. Unknown values
 * are passed through: ignore them in a `default`. Unknown fields stay in the object.
 */
export interface ReceivedEvent {
  /** The same in every delivery of this event. */
  id: string;
  type: OpenValue<WebhookEvent["type"]>;
  resource: { type: OpenValue<WebhookEvent["resource"]["type"]>; id: string };
  /** UTC time at which the event was created, ISO 8601. */
  created_at: string;
}

/** Longer ids would fill a store of seen events. */
const MAXIMUM_ID_LENGTH = 100;

/**
 * Reads the body of a delivery whose signature was verified.
 * @throws WebhookVerificationError `MALFORMED_BODY`
 */
export function parseEvent(body: Uint8Array): ReceivedEvent {
  const value = parseJson(body);
  if (!isReceivedEvent(value)) throw new WebhookVerificationError("MALFORMED_BODY");
  return value;
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch (error) {
    throw new WebhookVerificationError("MALFORMED_BODY", error);
  }
}

function isReceivedEvent(value: unknown): value is ReceivedEvent {
  if (!isObject(value) || !isObject(value.resource)) return false;
  const { id, type, resource, created_at } = value;
  return [id, type, resource.type, resource.id, created_at].every(isText) && isShort(id);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isText = (value: unknown) => typeof value === "string" && value !== "";

const isShort = (value: unknown) => typeof value === "string" && value.length <= MAXIMUM_ID_LENGTH;
