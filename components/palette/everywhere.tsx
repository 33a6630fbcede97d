"use client";

import { useRouter } from "next/navigation";
import {
  type ComponentType,
  useCallback,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
  useTransition,
} from "react";
import type { LiveProps } from "@/components/live/live";
import { LiveCount } from "@/components/live/live-count-shown";
import { type KeyAct, pressKey, type Sequence } from "@/components/palette/key-sequence";
import {
  type Opened,
  open,
  openedOnServer,
  readOpened,
  subscribeToOpened,
} from "@/components/palette/opened";
import type { PaletteProps } from "@/components/palette/palette";
import type { ShortcutsProps } from "@/components/palette/shortcuts";
import { unmarkNavigationLinks, useNavigationLinks } from "@/components/palette/use-navigation-links";
import { setPendingPage } from "@/components/shell/pending-page";
import { areSingleKeysOn } from "@/components/ui/use-keys";

/** What the server has just rendered is true: to look for what changed since can wait until the page stands. */
const LIVE_AFTER_MS = 5_000;

interface EverywhereProps extends Omit<PaletteProps, "go" | "close">, Omit<ShortcutsProps, "close"> {
  /** Null on pages that look for changes themselves. */
  live: LiveProps | null;
}

/**
 * What works on every page: the palette, the list of keys, the keys themselves, the links of the navigation, and the
 * count of what waits. Only the
 * listening is here; each of them is loaded when it is first needed, so that no page is slower for it.
 */
export function Everywhere({ place, setTheme, closeGates, setSingleKeys, live }: EverywhereProps) {
  const opened = useSyncExternalStore(subscribeToOpened, readOpened, openedOnServer);
  const go = useGo();
  useKeysEverywhere(go);
  useNavigationLinks(go);
  // The next page begins with nothing open.
  useEffect(() => close, []);
  const Palette = useLoaded(opened === "PALETTE", loadPalette);
  const Shortcuts = useLoaded(opened === "KEYS", loadShortcuts);
  const Live = useLoaded(useIsLater(LIVE_AFTER_MS) && live !== null, loadLive);
  return (
    <>
      {Palette && opened === "PALETTE" ? (
        <Palette place={place} setTheme={setTheme} closeGates={closeGates} go={go} close={close} />
      ) : null}
      {Shortcuts && opened === "KEYS" ? <Shortcuts setSingleKeys={setSingleKeys} close={close} /> : null}
      {live ? <LiveCount shown={live} /> : null}
      {Live && live ? <Live {...live} /> : null}
    </>
  );
}

const close = () => open(null);
const loadPalette = () => import("@/components/palette/palette").then(({ Palette }) => Palette);
const loadShortcuts = () => import("@/components/palette/shortcuts").then(({ Shortcuts }) => Shortcuts);
const loadLive = () => import("@/components/live/live").then(({ Live }) => Live);

/** A component once it is wanted and there; where it cannot be loaded, the page works on without it. */
function useLoaded<Props>(
  isWanted: boolean,
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> | null {
  const [loaded, setLoaded] = useState<ComponentType<Props> | null>(null);
  useEffect(() => {
    if (!isWanted || loaded) return;
    let isStale = false;
    load().then(
      (component) => {
        if (!isStale) setLoaded(() => component);
      },
      () => open(null),
    );
    return () => {
      isStale = true;
    };
  }, [isWanted, loaded, load]);
  return loaded;
}

function useIsLater(delayMs: number): boolean {
  const [isLater, setIsLater] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsLater(true), delayMs);
    return () => clearTimeout(timer);
  }, [delayMs]);
  return isLater;
}

type Go = (href: string) => void;

/** Goes to a page, and says so while the server makes it, as a link does. */
function useGo(): Go {
  const router = useRouter();
  const [isGoing, startGoing] = useTransition();
  useEffect(() => {
    if (!isGoing) return;
    return () => {
      setPendingPage(null);
      unmarkNavigationLinks();
    };
  }, [isGoing]);
  return useCallback(
    (href) => {
      setPendingPage(href);
      startGoing(() => router.push(href));
    },
    [router],
  );
}

function useKeysEverywhere(go: Go): void {
  const sequence = useRef<Sequence>(null);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.repeat) return;
      const command = commandOf(event);
      if (command) {
        event.preventDefault();
        command(go);
        return;
      }
      if (!areSingleKeysOn(event)) return;
      const step = pressKey(sequence.current, event.key.toLowerCase(), event.timeStamp);
      sequence.current = step.sequence;
      if (step.act?.kind === "FILTER" && !focusFilter()) return;
      if (step.isTaken) event.preventDefault();
      act(step.act, go);
    };
    // Before the page's own keys hear of it: the second key of a sequence is not one of theirs.
    document.addEventListener("keydown", listen, { capture: true });
    return () => document.removeEventListener("keydown", listen, { capture: true });
  }, [go]);
}

function act(what: KeyAct | null, go: Go): void {
  if (what?.kind === "GO") go(what.href);
  if (what?.kind === "KEYS") open("KEYS");
}

/** Keys with ⌘, or Ctrl where there is none: they work in a field, too. Not over a dialog that asks something. */
function commandOf(event: KeyboardEvent): ((go: Go) => void) | null {
  const isHeld = isApple() ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey;
  if (!isHeld || event.altKey) return null;
  const key = event.key.toLowerCase();
  if (key !== "k" || event.shiftKey) return null;
  const isAsking = document.querySelector("dialog[open]") !== null && readOpened() === null;
  return isAsking ? null : () => open(toggled(readOpened()));
}

function toggled(opened: Opened): Opened {
  return opened === "PALETTE" ? null : "PALETTE";
}

function isApple(): boolean {
  return /mac|iphone|ipad/i.test(navigator.userAgent);
}

/** Focuses the page's filter; false where it has none of ours. */
function focusFilter(): boolean {
  const filters = document.querySelectorAll<HTMLElement>("#main input[type='search'], #main [data-filter]");
  const shown = [...filters].find((filter) => filter.checkVisibility());
  shown?.focus();
  return shown !== undefined;
}
