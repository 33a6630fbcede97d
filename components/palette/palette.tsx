"use client";

import { Search as SearchIcon } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from "react";
import { open } from "@/components/palette/open-palette";
import {
  foundGroups,
  ownGroups,
  type PaletteEntry,
  type PaletteGroup,
  type PalettePlace,
} from "@/components/palette/palette-groups";

import { applyTheme } from "@/components/shell/apply-theme";
import { MAXIMUM_QUERY_LENGTH, readSearchQuery } from "@/lib/contract/search-query";
import { type SearchView, searchViewSchema } from "@/lib/contract/views/search-view";
import type { ShellActions } from "@/lib/contract/views/shell-view";

/** Debounces typing. */
const PAUSE_MS = 120;

const NOTHING: Search = { found: null, isAsking: false, hasFailed: false };

export interface PaletteProps {
  place: PalettePlace;
  setTheme: ShellActions["setTheme"];
  closeGates: ShellActions["gates"]["closeGates"];
  go: (href: string) => void;
  close: () => void;
}

/** Go, find or do: a combobox with one option always active. It asks the server only for search results. */
export function Palette({ place, setTheme, closeGates, go, close }: PaletteProps) {
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState(0);
  const search = useSearch(text);
  const groups = useMemo(() => groupsOf(place, text, search), [place, text, search]);
  const entries = groups.flatMap((group) => group.entries);
  const current = entries[Math.min(chosen, entries.length - 1)] ?? null;
  const listId = useId();
  const dialog = useModal();

  const run = ({ does }: PaletteEntry) => {
    close();
    if (does.kind === "GO") go(does.href);
    if (does.kind === "THEME") applyTheme(does.theme, setTheme);
    if (does.kind === "KEYS") open("KEYS");
    // Success or not, that page shows whether they are closed.
    if (does.kind === "CLOSE_GATES") void closeGates(null, new FormData()).finally(() => go("/gates"));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // While an input method composes, its keys are not ours.
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape") {
      event.preventDefault();
      close();
    }
    if (event.key === "Enter" && current) {
      event.preventDefault();
      run(current);
    }
    const next = moved(event.key, current ? entries.indexOf(current) : 0, entries.length);
    if (next === null) return;
    event.preventDefault();
    setChosen(next);
  };

  return (
    <dialog
      ref={dialog}
      className="pal"
      aria-label="Go, find or do"
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      onClick={(event) => {
        // A click on the backdrop targets the dialog itself.
        if (event.target === event.currentTarget) close();
      }}
      onKeyDown={onKeyDown}
    >
      <div className="pal-q">
        <SearchIcon className="ic" aria-hidden="true" />
        <input
          role="combobox"
          aria-label="Go, find or do"
          aria-expanded={entries.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={current ? optionId(listId, current) : undefined}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          enterKeyHint="go"
          maxLength={MAXIMUM_QUERY_LENGTH}
          placeholder="Name, amount, ID or command"
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setChosen(0);
          }}
        />
        <button className="pal-x" type="button" onClick={close}>
          <kbd>Esc</kbd>
          <span className="vh"> closes</span>
        </button>
      </div>
      <Found groups={groups} current={current} listId={listId} run={run} />
      <p className="pal-n" role="status">
        {saysOf(search, entries.length)}
      </p>
      <p className="pal-f">
        <span className="hide-s">
          <kbd>↑</kbd>
          <kbd>↓</kbd>move
        </span>
        <span className="hide-s">
          <kbd>↵</kbd>open
        </span>
        <span>Names, amounts, IDs or commands</span>
      </p>
    </dialog>
  );
}

interface FoundProps {
  groups: readonly PaletteGroup[];
  current: PaletteEntry | null;
  listId: string;
  run: (entry: PaletteEntry) => void;
}

export function Found({ groups, current, listId, run }: FoundProps) {
  useEffect(() => {
    if (current) document.getElementById(optionId(listId, current))?.scrollIntoView({ block: "nearest" });
  }, [current, listId]);
  return (
    <div className="pal-l" id={listId} role="listbox" aria-label="Found">
      {groups.map(({ title, entries }) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset has no place in a listbox.
        <div key={title} role="group" aria-label={title}>
          <p className="pal-h" aria-hidden="true">
            {title}
          </p>
          {entries.map((entry) => (
            // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field, which names the chosen one.
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field hears the keys of the whole list.
            <div
              key={entry.id}
              id={optionId(listId, entry)}
              className="pal-o"
              role="option"
              aria-selected={entry === current}
              onClick={() => run(entry)}
            >
              {entry.icon}
              <span className="pal-t">{entry.label}</span>
              <span className="pal-w">{entry.note}</span>
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}

function groupsOf(place: PalettePlace, text: string, { found }: Search): PaletteGroup[] {
  const typed = text.trim();
  const { amountInCents } = readSearchQuery(typed);
  return [
    ...(found && typed !== "" ? foundGroups(found, typed, place.mayChange) : []),
    ...ownGroups(place, typed, amountInCents),
  ];
}

function saysOf({ isAsking, hasFailed }: Search, count: number): string {
  if (hasFailed) return "Search is unavailable. Pages and commands still work.";
  if (isAsking) return "";
  return count === 0 ? "No results. Try a name, an amount like 4250, or the start of an ID." : "";
}

/** The new index; null for other keys. */
function moved(key: string, from: number, count: number): number | null {
  if (count === 0) return null;
  if (key === "ArrowDown") return (from + 1) % count;
  if (key === "ArrowUp") return (from + count - 1) % count;
  if (key === "PageDown") return Math.min(count - 1, from + 8);
  if (key === "PageUp") return Math.max(0, from - 8);
  return null;
}

function optionId(listId: string, entry: PaletteEntry): string {
  return `${listId}-${entry.id}`;
}

/** Modal while rendered; focus returns to where it was. */
function useModal() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    const before = document.activeElement;
    element?.showModal();
    element?.querySelector("input")?.focus();
    return () => {
      element?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return dialog;
}

interface Search {
  /** Null: no answer yet. Kept while the next one loads, so that the list does not jump. */
  found: SearchView | null;
  isAsking: boolean;
  hasFailed: boolean;
}

/** Answers to earlier queries are dropped. */
function useSearch(text: string): Search {
  const query = text.slice(0, MAXIMUM_QUERY_LENGTH).trim();
  const [search, setSearch] = useState(NOTHING);
  useEffect(() => {
    if (query === "") {
      setSearch(NOTHING);
      return;
    }
    const stop = new AbortController();
    setSearch(({ found }) => ({ found, isAsking: true, hasFailed: false }));
    const timer = setTimeout(async () => {
      const found = await ask(query, stop.signal);
      if (!stop.signal.aborted) setSearch({ found, isAsking: false, hasFailed: found === null });
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [query]);
  return search;
}

async function ask(query: string, signal: AbortSignal): Promise<SearchView | null> {
  try {
    const response = await fetch("/find", {
      method: "POST",
      signal,
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ query }),
    });
    return response.ok ? (searchViewSchema.safeParse(await response.json()).data ?? null) : null;
  } catch {
    return null;
  }
}
