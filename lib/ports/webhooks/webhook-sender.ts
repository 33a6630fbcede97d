import type { DeliveryProblem } from "@/lib/contract/webhooks";

export interface WebhookRequest {
  url: string;
  headers: Readonly<Record<string, string>>;
  /** Exactly these bytes were signed. */
  body: string;
}

/** What came of one attempt. It never throws: every failure of a receiver is an answer. */
export interface WebhookAnswer {
  /** Null when nothing was answered. */
  statusCode: number | null;
  /** Null: answered with 2xx. */
  problem: DeliveryProblem | null;
  /** The begin of the answer's body as text, or what the connection said; at most KEPT_ANSWER_CHARACTERS. */
  answer: string | null;
  durationMs: number;
}

/** Posts events to receivers anywhere on the internet, and to nowhere else. */
export interface WebhookSender {
  post(request: WebhookRequest): Promise<WebhookAnswer>;
  /**
   * Whether an endpoint at this address may be saved.
   * @returns null, or a sentence for the form: what is wrong and what would be right
   */
  checkUrl(url: string): Promise<string | null>;
  /** Ends idle connections. */
  close(): Promise<void>;
}
