/** What makes an emulated bank answer oddly: as real banks do, and rarely. */
export class OddAnswers {
  readonly #failing = new Map<string, number>();
  readonly #altered = new Map<string, Readonly<Record<string, unknown>>>();
  /** Lists of events, transactions and approval requests then name a next page for ever, the last page included. */
  isListEndless = false;
  /** The cursors of lists then have so many characters more. */
  cursorPadding = 0;
  /** What their pages say in the place of the next page's cursor; undefined: they leave it out. */
  nextCursor: ((own: string | null) => unknown) | null = null;
  /** Every request then answers 503. */
  isDown = false;
  /** Every request then gets this, whatever it is, as from something between the bank and us; nothing is carried out. */
  replacement: (() => Response) | null = null;
  /** With which every page of events then begins: of any shape. */
  strangeEvents: readonly unknown[] = [];

  /** Reading this object answers `status`. @param status 404: as if it were deleted */
  fail(id: string, status: 400 | 404 | 500 = 404): void {
    this.#failing.set(id, status);
  }

  /** Reading this object answers with these fields in place of its own: null, or a value that nobody knows. */
  alter(id: string, fields: Record<string, unknown>): void {
    this.#altered.set(id, fields);
  }

  /** This object, or every one, answers as it is again. */
  recover(id?: string): void {
    if (id === undefined) {
      this.#failing.clear();
      this.#altered.clear();
      this.isListEndless = false;
      this.cursorPadding = 0;
      this.nextCursor = null;
      this.isDown = false;
      this.replacement = null;
      this.strangeEvents = [];
      return;
    }
    this.#failing.delete(id);
    this.#altered.delete(id);
  }

  /** With what reading this path fails; null: it does not. */
  failureOf(method: string, path: string): number | null {
    if (this.isDown) return 503;
    return (method === "GET" && this.#failing.get(idOf(path))) || null;
  }

  /** The fields that differ in the answer to this path; null: none. */
  fieldsOf(method: string, path: string): Readonly<Record<string, unknown>> | null {
    return (method === "GET" && this.#altered.get(idOf(path))) || null;
  }
}

const idOf = (path: string) => path.split("/").at(-1) ?? "";
