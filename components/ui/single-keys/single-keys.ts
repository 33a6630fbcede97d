/**
 * Tells single keys from typed text. A password typed while no field has the focus must not run as shortcuts: keys that
 * follow each other fast are text and do nothing, so a key acts only once silence followed it.
 */

/** Typing is faster than this between keys, pressing shortcuts slower. */
export const QUIET_MS = 250;
/** After text, and after a page changed by itself, keys were meant for something else. */
export const REST_MS = 1_000;

/** They only move the focus through a list, and often follow each other fast. */
const LIST_KEYS: ReadonlySet<string> = new Set(["j", "k"]);
/** Focuses a field that what follows is meant for. */
const FIELD_KEY = "/";

export interface SingleKeyListener {
  /**
   * One key, in lower case.
   * @param at monotonic, in milliseconds
   * @returns whether nobody else gets it
   */
  onKey: (key: string, at: number) => boolean;
  /** Several keys turned out to be text. */
  onText?: () => void;
}

interface Setting {
  /** Monotonic, in milliseconds. */
  now: () => number;
  /** Asked again when a key acts: a dialog may have opened since it was pressed. */
  mayAct: () => boolean;
}

export function createSingleKeys({ now, mayAct }: Setting) {
  const listeners: SingleKeyListener[] = [];
  /** Pressed since the last silence, not acted on yet. */
  let run: string[] = [];
  let lastAt = Number.NEGATIVE_INFINITY;
  let hasActedAtOnce = false;
  let textUntil = Number.NEGATIVE_INFINITY;
  let restUntil = Number.NEGATIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const dispatch = (key: string): boolean => {
    if (now() < restUntil || !mayAct()) return false;
    return [...listeners].some((listener) => listener.onKey(key, now()));
  };

  const end = () => {
    const keys = run;
    run = [];
    for (const key of keys) dispatch(key);
  };

  const startText = () => {
    run = [];
    textUntil = now() + REST_MS;
    for (const listener of [...listeners]) listener.onText?.();
  };

  return {
    /**
     * @param isFirst gets each key before the others
     * @returns ends it
     */
    listen: (listener: SingleKeyListener, isFirst = false): (() => void) => {
      if (isFirst) listeners.unshift(listener);
      else listeners.push(listener);
      return () => {
        listeners.splice(listeners.indexOf(listener), 1);
      };
    },
    /**
     * @param key printable, in lower case
     * @returns whether it acted at once
     */
    press: (key: string): boolean => {
      const at = now();
      const isFast = at - lastAt <= QUIET_MS;
      lastAt = at;
      clearTimeout(timer);
      if (at < textUntil) {
        textUntil = at + REST_MS;
        return false;
      }
      const actsAtOnce = isFast
        ? hasActedAtOnce && LIST_KEYS.has(key)
        : LIST_KEYS.has(key) || key === FIELD_KEY;
      if (actsAtOnce) {
        hasActedAtOnce = LIST_KEYS.has(key);
        return dispatch(key);
      }
      run.push(key);
      if ((isFast && run.length === 1) || !isShortcut(run)) startText();
      else timer = setTimeout(end, QUIET_MS);
      hasActedAtOnce = false;
      return false;
    },
    /** Text was typed just now: then Enter and Space press no button. */
    isTyping: (): boolean => now() < textUntil,
    /** The page changed by itself. Keys rest, those in flight too. */
    rest: (): void => {
      restUntil = now() + REST_MS;
      clearTimeout(timer);
      run = [];
    },
  };
}

/** One key, or `G` and one more. */
function isShortcut(keys: readonly string[]): boolean {
  return keys.length === 1 || (keys.length === 2 && keys[0] === "g");
}
