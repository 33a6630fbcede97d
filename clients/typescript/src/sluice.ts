import { buildRequest } from "./build-request.js";
import type { Answer, CallOptions, OperationShape, SluiceOptions } from "./call.js";
import { SluiceConnectionError, SluiceError, SluiceTimeoutError } from "./errors.js";
import { Operations, type Transfer } from "./generated.js";
import { readAnswer } from "./read-answer.js";
import { delayBeforeNext, isWorthRepeating } from "./retry.js";
import { wait } from "./wait.js";

export interface WaitOptions {
  /** Total time to wait, between polls. Default 60,000; an approval may take 24 hours. */
  timeoutMs?: number;
  signal?: AbortSignal;
}

const FIRST_POLL_MS = 500;
/** The API's polling interval for a transfer at the bank. */
const LONGEST_POLL_MS = 3_600_000;
/** A transfer may not be found right after it was created. */
const NOT_YET_VISIBLE_MS = 10_000;

const FINAL_STATUSES: readonly string[] = [
  "COMPLETE",
  "FAILED",
  "CANCELLED",
  "RETURNED",
  "APPROVAL_DENIED",
] satisfies Transfer["status"][];

/**
 * The Sluice API. Writes keep one idempotency key over all attempts, so a request whose answer was lost is sent again
 * and takes effect once.
 */
export class Sluice extends Operations {
  readonly #options: SluiceOptions;
  readonly #wait: NonNullable<SluiceOptions["wait"]>;

  constructor(options: SluiceOptions) {
    super();
    this.#options = options;
    this.#wait = options.wait ?? wait;
  }

  /**
   * Polls a transfer, at growing intervals, until its status is final.
   * @returns the transfer, also when it failed, was denied or came back: look at its `status`.
   * @throws SluiceTimeoutError with the transfer's last state; the transfer itself continues.
   */
  async waitForTransfer(id: string, { timeoutMs = 60_000, signal }: WaitOptions = {}): Promise<Transfer> {
    let last: Transfer | null = null;
    let waitedMs = 0;
    for (let delayMs = FIRST_POLL_MS; ; delayMs = Math.min(delayMs * 2, LONGEST_POLL_MS)) {
      const mayBeUnseen: boolean = last === null && waitedMs < NOT_YET_VISIBLE_MS;
      last = (await this.#findTransfer(id, mayBeUnseen, signal)) ?? last;
      if (last && FINAL_STATUSES.includes(last.status)) return last;
      if (waitedMs >= timeoutMs) {
        const status = last?.status ?? "not found";
        throw new SluiceTimeoutError(`Transfer ${id} is ${status} after ${timeoutMs} ms.`, last);
      }
      const nextMs = Math.min(delayMs * (0.8 + 0.4 * Math.random()), timeoutMs - waitedMs);
      await this.#wait(nextMs, signal);
      waitedMs += nextMs;
    }
  }

  async #findTransfer(
    id: string,
    mayBeUnseen: boolean,
    signal: AbortSignal | undefined,
  ): Promise<Transfer | null> {
    try {
      return (await this.getTransfer({ id }, { ...(signal && { signal }) })).data;
    } catch (error) {
      if (mayBeUnseen && error instanceof SluiceError && error.code === "TRANSFER_NOT_FOUND") return null;
      throw error;
    }
  }

  protected async send<Data>(
    operation: OperationShape,
    input: object,
    options: CallOptions,
  ): Promise<Answer<Data>> {
    const { maximumAttempts = 4, maximumWaitMs = 65_000, baseUrl, apiKey } = this.#options;
    const idempotencyKey = operation.isIdempotent ? (options.idempotencyKey ?? crypto.randomUUID()) : null;
    const calledReason = options.calledReason ?? this.#options.calledReason;
    const request = buildRequest(baseUrl, operation, input, { apiKey, idempotencyKey, calledReason });
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#attempt<Data>(request, idempotencyKey, options.signal);
      } catch (error) {
        if (attempt >= maximumAttempts || !isWorthRepeating(operation, error)) throw error;
        const delayMs = delayBeforeNext(attempt, error, Math.random());
        if (delayMs > maximumWaitMs) throw error;
        await this.#wait(delayMs, options.signal);
      }
    }
  }

  async #attempt<Data>(
    { url, init }: ReturnType<typeof buildRequest>,
    idempotencyKey: string | null,
    signal: AbortSignal | undefined,
  ): Promise<Answer<Data>> {
    const { attemptTimeoutMs = 30_000, fetch: send = fetch } = this.#options;
    const timeout = AbortSignal.timeout(attemptTimeoutMs);
    try {
      const response = await send(url, {
        ...init,
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
        // A redirect would send the key elsewhere.
        redirect: "manual",
      });
      return await readAnswer<Data>(response, url, idempotencyKey);
    } catch (error) {
      if (error instanceof SluiceError) throw error;
      signal?.throwIfAborted();
      const what = timeout.aborted
        ? `did not answer within ${attemptTimeoutMs} ms`
        : "cannot be reached, or disconnected";
      throw new SluiceConnectionError(`${new URL(url).origin} ${what}.`, idempotencyKey, error);
    }
  }
}
