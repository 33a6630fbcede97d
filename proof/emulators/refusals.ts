/** An answer that an emulated bank gives in place of its own. */
export interface EmulatedAnswer {
  status: 200 | 400 | 401 | 403 | 404 | 409 | 410 | 422 | 429 | 500;
  body: Record<string, unknown>;
  headers?: Record<string, string>;
}

/** Answers to come, before anything is carried out. */
export class EmulatorRefusals {
  readonly #next: { request: string; answer: EmulatedAnswer; times: number }[] = [];

  /** @param request `POST /ach_transfers`; `*` for any @param times how many such requests get it */
  answer(request: string, answer: EmulatedAnswer, times = 1): void {
    this.#next.push({ request, answer, times });
  }

  /** The answer to this request, used up once; null: the bank's own. */
  take(method: string, path: string): EmulatedAnswer | null {
    const at = this.#next.findIndex(({ request }) => request === "*" || request === `${method} ${path}`);
    const found = this.#next[at];
    if (!found) return null;
    found.times -= 1;
    if (found.times === 0) this.#next.splice(at, 1);
    return found.answer;
  }
}
