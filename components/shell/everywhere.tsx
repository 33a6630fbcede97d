"use client";

import { PrefetchKind } from "next/dist/client/components/router-reducer/router-reducer-types";
import { useRouter } from "next/navigation";
import { useCallback, useEffect, useRef, useSyncExternalStore, useTransition } from "react";
import {
  type Opened,
  open,
  openedOnServer,
  readOpened,
  subscribeToOpened,
} from "@/components/shell/open-palette";
import { setPendingPage } from "@/components/shell/page-skeleton";
import type { PaletteProps } from "@/components/shell/palette";
import { INTENT_MS } from "@/components/ui/intent";
import { listenToSingleKeys, OPEN_MODAL } from "@/components/ui/single-keys/use-keys";
import { useLoaded } from "@/components/ui/use-loaded";

/** Time between `G` and the second key. */
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

/**
 * On every page: the palette, the shortcuts and navigation links. Only the listeners are here; the rest is loaded on
 * first use, so that no page gets slower.
 */
export function Everywhere({ place }: Pick<PaletteProps, "place">) {
  const opened = useSyncExternalStore(subscribeToOpened, readOpened, openedOnServer);
  const go = useGo();
  useKeysEverywhere(go);
  useNavigationLinks(go);
  useIntent();
  useEffect(() => close, []);
  const Palette = useLoaded(opened === "PALETTE", loadPalette, close);
  const Shortcuts = useLoaded(opened === "KEYS", loadShortcuts, close);
  return (
    <>
      {Palette && opened === "PALETTE" ? <Palette place={place} go={go} close={close} /> : null}
      {Shortcuts && opened === "KEYS" ? <Shortcuts close={close} /> : null}
    </>
  );
}

const close = () => open(null);
const loadPalette = () => import("@/components/shell/palette").then(({ Palette }) => Palette);
const loadShortcuts = () => import("@/components/shell/shortcuts").then(({ Shortcuts }) => Shortcuts);

type Go = (href: string) => void;

/** Navigates, and marks the target as pending like a link. */
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
      if (!command) return;
      event.preventDefault();
      command(go);
    };
    document.addEventListener("keydown", listen, { capture: true });
    return () => document.removeEventListener("keydown", listen, { capture: true });
  }, [go]);
  useEffect(() => {
    const onKey = (key: string, at: number) => {
      const step = pressKey(sequence.current, key, at);
      sequence.current = step.sequence;
      if (step.act?.kind === "FILTER" && !focusFilter()) return false;
      act(step.act, go);
      return step.isTaken;
    };
    // Before the page's own keys: the second key of a sequence is not theirs.
    return listenToSingleKeys({ onKey }, true);
  }, [go]);
}

function act(what: KeyAct | null, go: Go): void {
  if (what?.kind === "GO") go(what.href);
  if (what?.kind === "KEYS") open("KEYS");
}

/** Keys with ⌘ or Ctrl work in fields too, but not over a dialog. */
function commandOf(event: KeyboardEvent): ((go: Go) => void) | null {
  const isHeld = isApple() ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey;
  if (!isHeld || event.altKey) return null;
  const key = event.key.toLowerCase();
  if (key !== "k" || event.shiftKey) return null;
  const isAsking = document.querySelector(OPEN_MODAL) !== null && readOpened() === null;
  return isAsking ? null : () => open(toggled(readOpened()));
}

function toggled(opened: Opened): Opened {
  return opened === "PALETTE" ? null : "PALETTE";
}

function isApple(): boolean {
  return /mac|iphone|ipad/i.test(navigator.userAgent);
}

/** Focuses the page's filter; false without one. */
function focusFilter(): boolean {
  const filters = document.querySelectorAll<HTMLElement>("#main input[type='search'], #main [data-filter]");
  const shown = [...filters].find((filter) => filter.checkVisibility());
  shown?.focus();
  return shown !== undefined;
}

/** Routes the plain navigation links. @see NavigationLink */
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

/** Loads the page of a navigation link on intent, as `Link` does. */
function useIntent(): void {
  const router = useRouter();
  useEffect(() => {
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    const meet = ({ target, type }: Event) => {
      clearTimeout(timer);
      const link = target instanceof Element ? target.closest<HTMLAnchorElement>("a[data-navigation]") : null;
      if (!link || link.pathname === location.pathname) return;
      const load = () => router.prefetch(`${link.pathname}${link.search}`, { kind: PrefetchKind.FULL });
      timer = setTimeout(load, type === "touchstart" ? 0 : INTENT_MS);
    };
    for (const type of ["pointerover", "focusin", "touchstart"])
      document.addEventListener(type, meet, { signal: stop.signal, passive: true });
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [router]);
}

/** Loaded, or canceled. */
function unmarkNavigationLinks(): void {
  for (const link of document.querySelectorAll<HTMLElement>("[data-going]")) delete link.dataset.going;
}

function navigationLinkOf(event: MouseEvent): HTMLAnchorElement | null {
  const isHeld = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
  // The browser handles new tabs, windows and downloads.
  if (event.defaultPrevented || event.button !== 0 || isHeld || !(event.target instanceof Element))
    return null;
  const link = event.target.closest<HTMLAnchorElement>("a[data-navigation]");
  // `/` is two pages (next.config.mjs) that the router cannot tell apart.
  return link && (link.pathname !== "/" || location.pathname !== "/") ? link : null;
}

type KeyAct = { kind: "GO"; href: string } | { kind: "KEYS" } | { kind: "FILTER" };

/** When `G` was pressed, in ms; null: no sequence. */
type Sequence = number | null;

interface KeyStep {
  sequence: Sequence;
  act: KeyAct | null;
  /** Hides the key from the page: after `G`, no key may approve or deny. */
  isTaken: boolean;
}

/** @param key `KeyboardEvent.key` in lower case */
export function pressKey(sequence: Sequence, key: string, at: number): KeyStep {
  const isSecond = sequence !== null && at - sequence <= SEQUENCE_MS;
  if (isSecond) return { sequence: null, act: AFTER_G.get(key) ?? null, isTaken: true };
  if (key === "g") return { sequence: at, act: null, isTaken: true };
  const act = SINGLE.get(key) ?? null;
  return { sequence: null, act, isTaken: act !== null };
}
