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
import { LiveCount } from "@/components/live/live-count";
import {
  type Opened,
  open,
  openedOnServer,
  readOpened,
  subscribeToOpened,
} from "@/components/palette/open-palette";
import type { PaletteProps } from "@/components/palette/palette";
import type { ShortcutsProps } from "@/components/palette/shortcuts";
import { setPendingPage } from "@/components/shell/page-skeleton";
import { areSingleKeysOn } from "@/components/ui/use-keys";

/** How long after `G` the second key still belongs to it. */
const SEQUENCE_MS = 1_500;

const SINGLE: ReadonlyMap<string, KeyAct> = new Map([
  ["?", { kind: "KEYS" }],
  ["/", { kind: "FILTER" }],
  ["m", { kind: "GO", href: "/transfers/new" }],
]);

const AFTER_G: ReadonlyMap<string, KeyAct> = new Map([
  ["o", { kind: "GO", href: "/" }],
  ["a", { kind: "GO", href: "/approvals" }],
  ["m", { kind: "GO", href: "/transfers" }],
]);

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

/** Goes where the plain links of the navigation lead, as the router does. @see NavigationLink */
function useNavigationLinks(go: (href: string) => void): void {
  useEffect(() => {
    const listen = (event: MouseEvent) => {
      const link = navigationLinkOf(event);
      if (!link) return;
      event.preventDefault();
      link.dataset.going = "";
      go(`${link.pathname}${link.search}`);
    };
    document.addEventListener("click", listen);
    return () => document.removeEventListener("click", listen);
  }, [go]);
}

/** The page is there, or the reader stays where they are. */
function unmarkNavigationLinks(): void {
  for (const link of document.querySelectorAll<HTMLElement>("[data-going]")) delete link.dataset.going;
}

function navigationLinkOf(event: MouseEvent): HTMLAnchorElement | null {
  const isHeld = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
  // A new tab, a window or a file is the browser's to open.
  if (event.defaultPrevented || event.button !== 0 || isHeld || !(event.target instanceof Element))
    return null;
  const link = event.target.closest<HTMLAnchorElement>("a[data-navigation]");
  // `/` is two pages behind one address (next.config.mjs), between which the router sees no difference.
  return link && (link.pathname !== "/" || location.pathname !== "/") ? link : null;
}

/** What a single key, or two in a row, do anywhere. */
type KeyAct = { kind: "GO"; href: string } | { kind: "KEYS" } | { kind: "FILTER" };

/** When `G` was pressed, in milliseconds of any one clock; null when no sequence has begun. */
type Sequence = number | null;

interface KeyStep {
  sequence: Sequence;
  act: KeyAct | null;
  /** Whether the page may not hear of it: after `G`, no key approves or denies anything, whatever it stands for. */
  isTaken: boolean;
}

/** What a key does that was pressed at `at`. @param key `KeyboardEvent.key` in lower case */
export function pressKey(sequence: Sequence, key: string, at: number): KeyStep {
  // A modifier is pressed on the way to a key.
  if (key === "shift") return { sequence, act: null, isTaken: false };
  const isSecond = sequence !== null && at - sequence <= SEQUENCE_MS;
  if (isSecond) return { sequence: null, act: AFTER_G.get(key) ?? null, isTaken: true };
  if (key === "g") return { sequence: at, act: null, isTaken: true };
  const act = SINGLE.get(key) ?? null;
  return { sequence: null, act, isTaken: act !== null };
}
