/** No answer takes longer; then the reader has moved on. */
const PATIENCE_MS = 30_000;

/** From a submit until its fields are judged, or until the reader does something else. */
class Watch {
  #stop = new AbortController();
  #forms: HTMLFormElement[] = [];
  #observer: MutationObserver | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  begin(target: EventTarget | null): void {
    if (!(target instanceof HTMLFormElement) || target.method === "get") return;
    // A confirmation is a form of its own; the fields that it confirms are judged after it.
    const outer = isInDialog(target) ? this.#forms.filter((form) => !isInDialog(form)) : [];
    this.end();
    this.#forms = [target, ...outer];
    this.#stop = new AbortController();
    const at = { signal: this.#stop.signal, capture: true };
    for (const kind of ["input", "pointerdown", "keydown"])
      document.addEventListener(kind, (event) => this.#yieldTo(event.target), at);
    this.#observer = new MutationObserver(() => this.#lookSoon());
    this.#observer.observe(document.body, {
      subtree: true,
      childList: true,
      attributeFilter: ["aria-invalid", "aria-disabled"],
    });
    this.#timer = setTimeout(() => this.end(), PATIENCE_MS);
    // Nothing changes on the page if the same field is wrong again.
    this.#lookSoon();
  }

  #yieldTo(target: EventTarget | null): void {
    const isConfirming = target instanceof Element && isInDialog(target);
    if (!isConfirming) this.end();
  }

  end(): void {
    this.#stop.abort();
    this.#observer?.disconnect();
    this.#observer = null;
    clearTimeout(this.#timer);
    this.#forms = [];
  }

  /** After React's effects, which may move the focus themselves. */
  #lookSoon(): void {
    requestAnimationFrame(() => {
      if (this.#observer) this.#look();
    });
  }

  #look(): void {
    for (const form of this.#forms) {
      // A busy button: the answer is still to come, and the fields show the one before.
      if ([...form.elements].some(({ ariaDisabled }) => ariaDisabled === "true")) return;
      const field = firstWrong(form);
      if (!field) continue;
      this.end();
      field.focus({ preventScroll: true });
      field.scrollIntoView({ block: "center" });
      return;
    }
  }
}

const watch = new Watch();

/** @param form what was submitted */
export function watchRefused(form: EventTarget | null): void {
  watch.begin(form);
}

const isInDialog = (element: Element) =>
  element.closest("dialog, [role=dialog], [role=alertdialog]") !== null;

const CONTROLS = "input:not([type=hidden]), select, textarea";

/** The first invalid control, or the last one above the first message that belongs to several. */
function firstWrong(form: HTMLFormElement): HTMLElement | null {
  for (const mark of form.querySelectorAll<HTMLElement>("[aria-invalid=true], [data-error]")) {
    const control = mark.matches(CONTROLS) ? mark : controlAbove(mark, form);
    if (control?.checkVisibility()) return control;
  }
  return null;
}

function controlAbove(message: Element, form: HTMLFormElement): HTMLElement | null {
  return (
    [...form.querySelectorAll<HTMLElement>(CONTROLS)]
      .filter((control) => control.compareDocumentPosition(message) & Node.DOCUMENT_POSITION_FOLLOWING)
      .at(-1) ?? null
  );
}
