import type { DeliveryProblem } from "@/lib/contract/webhooks";

export interface WebhookRequest {
  url: string;
  headers: Readonly<Record<string, string>>;
  /** Sent byte for byte. */
  body: string | Uint8Array;
}

/** The result of one attempt. It never throws: every failure of a receiver is a result. */
export interface WebhookAnswer {
  /** Null if there was no answer. */
  statusCode: number | null;
  /** Null: answered with 2xx. */
  problem: DeliveryProblem | null;
  /** The start of the answer's body as text, or the connection's error; at most KEPT_ANSWER_CHARACTERS. */
  answer: string | null;
  durationMs: number;
  /** How long the receiver asks to wait (`Retry-After`); null: it does not say. */
  retryAfterMs: number | null;
}

/** Posts events to receivers anywhere on the internet, and nowhere else. */
export interface WebhookSender {
  post(request: WebhookRequest): Promise<WebhookAnswer>;
  /**
   * Whether an endpoint at this address may be saved.
   * @returns null, or a sentence for the form: what is wrong and how to correct it
   */
  checkUrl(url: string): Promise<string | null>;
  /** Ends idle connections. */
  close(): Promise<void>;
}
