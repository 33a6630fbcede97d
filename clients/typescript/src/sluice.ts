import { buildRequest } from "./build-request.js";
import type { Answer, CallOptions, OperationShape, SluiceOptions } from "./call.js";
import { SluiceConnectionError, SluiceError } from "./errors.js";
import { Operations, type Proposal, type RuleExecution, type Transfer } from "./generated.js";
import { type PolledResource, poll, type WaitOptions } from "./poll.js";
import { readAnswer } from "./read-answer.js";
import { delayBeforeNext, isWorthRepeating } from "./retry.js";
import { wait } from "./wait.js";

const FINAL_TRANSFER: readonly string[] = [
  "COMPLETE",
  "FAILED",
  "CANCELLED",
  "RETURNED",
  "APPROVAL_DENIED",
] satisfies Transfer["status"][];

const FINAL_RUN: readonly string[] = [
  "EXECUTED",
  "PARTIAL",
  "FAILED",
  "APPROVAL_DENIED",
] satisfies RuleExecution["status"][];

const DECIDED: readonly string[] = [
  "APPROVED",
  "DENIED",
  "EXPIRED",
  "WITHDRAWN",
  "REVOKED",
] satisfies Proposal["status"][];

/**
 * The Sluice API. Writes keep one idempotency key over all attempts, so a request whose answer was lost is sent again
 * and takes effect once.
 */
export class Sluice extends Operations {
  readonly #options: SluiceOptions;
  readonly #wait: NonNullable<SluiceOptions["wait"]>;
  readonly #now: () => number;

  constructor(options: SluiceOptions) {
    super();
    this.#options = options;
    this.#wait = options.wait ?? wait;
    this.#now = options.now ?? (() => performance.now());
  }

  /**
   * Waits until the status of a transfer is final. The server answers at each change; otherwise it is read at growing
   * intervals of at most 30 seconds.
   * @returns the transfer, also when it failed, was denied or came back: look at its `status`.
   * @throws SluiceTimeoutError with the transfer's last state; the transfer itself continues.
   */
  waitForTransfer(id: string, options: WaitOptions = {}): Promise<Transfer> {
    return this.#poll(options, {
      name: `Transfer ${id}`,
      notFound: "TRANSFER_NOT_FOUND",
      finalStatuses: FINAL_TRANSFER,
      read: (call, wait) => this.getTransfer({ id, wait }, call),
    });
  }

  /**
   * Waits until the status of a run of a rule is final, like `waitForTransfer`.
   * @returns the run, also when it failed, was denied or moved only a part: look at its `status`.
   * @throws SluiceTimeoutError with the run's last state; the run itself continues.
   */
  waitForRuleExecution(
    { ruleId, id }: { ruleId: string; id: string },
    options: WaitOptions = {},
  ): Promise<RuleExecution> {
    return this.#poll(options, {
      name: `Run ${id}`,
      notFound: "RULE_EXECUTION_NOT_FOUND",
      finalStatuses: FINAL_RUN,
      read: (call, wait) => this.getRuleExecution({ ruleId, id, wait }, call),
    });
  }

  /**
   * Waits until a person has decided a proposal, or it ended otherwise, like `waitForTransfer`.
   * @param id of the proposal, or of the transfer or run that it asks for
   * @returns the proposal: look at its `decision`.
   * @throws SluiceTimeoutError with the proposal's last state; it continues to wait for a person.
   */
  waitForDecision(id: string, options: WaitOptions = {}): Promise<Proposal> {
    return this.#poll(options, {
      name: `Proposal ${id}`,
      notFound: "PROPOSAL_NOT_FOUND",
      finalStatuses: DECIDED,
      read: (call, wait) => this.getProposal({ id, wait }, call),
    });
  }

  #poll<Polled extends { status: string }>(options: WaitOptions, polled: PolledResource<Polled>) {
    return poll(options, polled, { wait: this.#wait, now: this.#now });
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
