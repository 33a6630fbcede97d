"use client";

import { Command } from "cmdk";
import { Search as SearchIcon } from "lucide-react";
import { Dialog } from "radix-ui";
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react";
import { closeGates } from "@/app/gates/actions";
import { pollHref, shownForm } from "@/components/act/shown-by-page";
import { applyTheme } from "@/components/shell/apply-theme";
import { open } from "@/components/shell/open-palette";
import {
  foundGroups,
  ownGroups,
  type PaletteEntry,
  type PaletteGroup,
  type PalettePlace,
} from "@/components/shell/palette-groups";
import { BACKDROP } from "@/components/ui/dialog";
import { type SearchView, searchViewSchema } from "@/lib/contract/search/found";
import { MAXIMUM_QUERY_LENGTH, readSearchQuery } from "@/lib/contract/search/search-query";

/** Debounces typing. */
const PAUSE_MS = 120;

/** How far PageUp and PageDown go. */
const PAGE = 8;

const NOTHING: Search = { found: null, isAsking: false, hasFailed: false };

export interface PaletteProps {
  place: PalettePlace;
  go: (href: string) => void;
  close: () => void;
}

/** Go, find or do. One option is always chosen. It asks the server only for search results. */
export function Palette({ place, go, close }: PaletteProps) {
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState("");
  const search = useSearch(text);
  const groups = useMemo(() => groupsOf(place, text, search), [place, text, search]);
  const ids = groups.flatMap((group) => group.entries.map(({ id }) => id));
  // cmdk keeps what was chosen while a list changes; what was typed means its best match.
  const first = ids[0] ?? "";
  const selected = ids.includes(chosen) ? chosen : first;

  const run = ({ does }: PaletteEntry) => {
    close();
    if (does.kind === "GO") go(does.href);
    if (does.kind === "THEME") applyTheme(does.theme);
    if (does.kind === "KEYS") open("KEYS");
    // Success or not, that page shows whether they are closed.
    if (does.kind === "CLOSE_GATES") void closeGates(null, shownForm()).finally(() => go("/gates"));
  };
  const turnPage = (event: KeyboardEvent) => {
    const step = event.key === "PageDown" ? PAGE : event.key === "PageUp" ? -PAGE : null;
    if (step === null || ids.length === 0) return;
    event.preventDefault();
    const next = Math.max(0, ids.indexOf(chosen)) + step;
    setChosen(ids[Math.min(ids.length - 1, Math.max(0, next))] ?? first);
  };

  return (
    <Dialog.Root open onOpenChange={close}>
      <Dialog.Portal>
        <Dialog.Overlay className={BACKDROP} />
        <Dialog.Content
          className="fixed top-27 left-1/2 z-40 flex max-h-[min(620px,calc(100dvh_-_132px))] w-[min(680px,calc(100vw_-_32px))] [translate:-50%_0] flex-col overflow-hidden rounded-lg border border-rule-strong bg-surface shadow-float max-sm:top-4 max-sm:max-h-[calc(100dvh_-_32px)] [&_mark]:bg-transparent [&_mark]:font-semibold [&_mark]:text-inherit [&_mark]:underline [&_mark]:decoration-teal [&_mark]:underline-offset-3"
          aria-modal
          aria-describedby={undefined}
        >
          <Dialog.Title className="sr-only">Go, find or do</Dialog.Title>
          <Command
            className="flex min-h-0 flex-col"
            label="Go, find or do"
            shouldFilter={false}
            value={selected}
            onValueChange={setChosen}
            onKeyDown={turnPage}
            loop
            vimBindings={false}
          >
            <div className="flex min-h-16 flex-none items-center gap-3.5 border-b-3 border-double border-rule-strong px-5 [&_svg]:text-ink-3">
              <SearchIcon aria-hidden="true" />
              <Field
                text={text}
                selected={selected}
                onChange={(next) => {
                  setText(next);
                  setChosen("");
                }}
              />
              <Dialog.Close className="-mr-2 grid min-h-11 min-w-11 cursor-pointer place-items-center border-0 bg-transparent p-0">
                <kbd>Esc</kbd>
                <span className="sr-only"> closes</span>
              </Dialog.Close>
            </div>
            <Found groups={groups} run={run} />
          </Command>
          <p className="text-ink-2 not-empty:px-5 not-empty:py-3.5" role="status">
            {saysOf(search, ids.length)}
          </p>
          <p className="flex flex-none gap-5 border-t border-rule px-5 py-3 text-sm text-ink-3 [&_span]:inline-flex [&_span]:items-center [&_span]:gap-1.5 [&_span:last-child]:ml-auto max-sm:[&_span:last-child]:ml-0">
            <span className="max-sm:hidden!">
              <kbd>↑</kbd>
              <kbd>↓</kbd>move
            </span>
            <span className="max-sm:hidden!">
              <kbd>↵</kbd>open
            </span>
            <span>Names, amounts, IDs or commands</span>
          </p>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface FieldProps {
  text: string;
  /** The id of the chosen entry. */
  selected: string;
  onChange: (text: string) => void;
}

/** Inside a `Command`. An input of our own: cmdk's names the chosen option only where cmdk chose it. */
function Field({ text, selected, onChange }: FieldProps) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const list = field.current?.closest("[cmdk-root]")?.querySelector("[cmdk-list]");
    const option = list?.querySelector(`[data-entry="${CSS.escape(selected)}"]`);
    field.current?.setAttribute("aria-controls", list?.id ?? "");
    field.current?.setAttribute("aria-activedescendant", option?.id ?? "");
  });
  return (
    <input
      ref={field}
      className="min-w-0 flex-1 border-0 bg-transparent p-0 font-display text-[22px]/7 tracking-[-0.012em] outline-none placeholder:text-ink-3"
      role="combobox"
      aria-label="Go, find or do"
      aria-expanded
      aria-autocomplete="list"
      autoCapitalize="off"
      autoComplete="off"
      autoCorrect="off"
      spellCheck={false}
      enterKeyHint="go"
      maxLength={MAXIMUM_QUERY_LENGTH}
      placeholder="Name, amount, ID or command"
      value={text}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

interface FoundProps {
  groups: readonly PaletteGroup[];
  run: (entry: PaletteEntry) => void;
}

/** Inside a `Command`. */
export function Found({ groups, run }: FoundProps) {
  return (
    <Command.List className="flex-1 overflow-y-auto overscroll-contain" label="Found">
      {groups.map(({ title, entries }) => (
        <Command.Group
          key={title}
          heading={title}
          className="[&>[cmdk-group-heading]]:px-5 [&>[cmdk-group-heading]]:pt-3.5 [&>[cmdk-group-heading]]:pb-1 [&>[cmdk-group-heading]]:text-xs [&>[cmdk-group-heading]]:text-ink-3"
        >
          {entries.map((entry) => (
            <Command.Item
              key={entry.id}
              className="relative grid min-h-11 cursor-pointer grid-cols-[18px_minmax(0,1fr)_auto] items-center gap-3.5 px-5 py-1 hover:bg-hover aria-selected:bg-water-3 aria-selected:before:absolute aria-selected:before:inset-y-2 aria-selected:before:left-0 aria-selected:before:w-1.25 aria-selected:before:bg-teal max-sm:grid-cols-[18px_minmax(0,1fr)] max-sm:gap-x-3.5 max-sm:gap-y-0.5 max-sm:py-2 [&>svg]:text-ink-3"
              value={entry.id}
              data-entry={entry.id}
              onSelect={() => run(entry)}
            >
              {entry.icon}
              <span className="wrap-anywhere">{entry.label}</span>
              <span className="text-right text-sm text-ink-2 max-sm:col-2 max-sm:text-left max-sm:empty:hidden max-sm:[&:has(kbd)]:hidden">
                {entry.note}
              </span>
            </Command.Item>
          ))}
        </Command.Group>
      ))}
    </Command.List>
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
    const response = await fetch(pollHref("/find"), {
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
