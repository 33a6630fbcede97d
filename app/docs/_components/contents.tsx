"use client";

import { Search } from "lucide-react";
import { usePathname, useRouter } from "next/navigation";
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react";
import { inputClass } from "@/components/ui/input-class";
import { Link } from "@/components/ui/link";
import { useKeys } from "@/components/ui/single-keys/use-keys";

interface ContentsProps {
  entries: readonly ReferenceEntry[];
  /** E.g. closes the contents on a phone. */
  switchId: string;
}

/** `/` focuses the search, `↵` opens its first result. */
export function Contents({ entries, switchId }: ContentsProps) {
  const [query, setQuery] = useState("");
  const input = useRef<HTMLInputElement>(null);
  const router = useRouter();
  useKeys(useMemo(() => ({ "/": () => input.current?.focus() }), []));
  // Scrolls a deep link's entry into view.
  useEffect(() => {
    document
      .querySelector('nav[aria-label="Reference"] [aria-current]')
      ?.scrollIntoView({ block: "nearest" });
  }, []);
  const results = searchReference(entries, query);
  const isSearching = query.trim() !== "";

  const leave = () => {
    setQuery("");
    input.current?.blur();
    const menu = document.getElementById(switchId);
    if (menu instanceof HTMLInputElement) menu.checked = false;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") setQuery("");
    const first = results[0];
    if (event.key !== "Enter" || !first) return;
    leave();
    router.push(first.href);
  };

  return (
    <>
      <label className={inputClass({ of: "box", size: "small" })}>
        <Search />
        <span className="sr-only">Search the reference</span>
        <input
          ref={input}
          className="flex-1 min-w-0 border-0 bg-transparent outline-none"
          placeholder="Search"
          value={query}
          autoComplete="off"
          onChange={(event) => setQuery(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <span aria-hidden="true">
          <kbd>/</kbd>
        </span>
      </label>
      <p className="sr-only" role="status">
        {isSearching ? `${results.length} found` : ""}
      </p>
      {isSearching ? (
        <EntryList
          title={results.length > 0 ? "Found" : "Nothing found"}
          entries={results}
          onChoose={leave}
        />
      ) : (
        chaptersOf(entries).map(([chapter, inChapter]) => (
          <EntryList key={chapter} title={chapter} entries={inChapter} onChoose={leave} />
        ))
      )}
    </>
  );
}

function chaptersOf(entries: readonly ReferenceEntry[]): [string, ReferenceEntry[]][] {
  const titles = [...new Set(entries.map(({ chapter }) => chapter))];
  return titles.map((title) => [title, entries.filter(({ chapter }) => chapter === title)]);
}

interface EntryListProps {
  title: string;
  entries: readonly ReferenceEntry[];
  onChoose: () => void;
}

function EntryList({ title, entries, onChoose }: EntryListProps) {
  const current = usePathname();
  return (
    <>
      <h2>{title}</h2>
      <ul className="[&_a]:flex [&_a]:relative [&_a]:items-baseline [&_a]:gap-2.5 [&_a]:min-h-7.5 [&_a]:py-1.25 [&_a]:px-0 [&_a]:text-ink-2 [&_a:hover]:text-ink [&_a[aria-current]]:font-semibold [&_a[aria-current]]:text-ink [&_a[aria-current]]:after:absolute [&_a[aria-current]]:after:inset-y-1.5 [&_a[aria-current]]:after:-right-5 [&_a[aria-current]]:after:w-1.25 [&_a[aria-current]]:after:bg-teal max-sm:[&_a]:items-center max-sm:[&_a]:min-h-11 max-sm:[&_a[aria-current]]:after:right-auto max-sm:[&_a[aria-current]]:after:-left-5">
        {entries.map(({ href, title: name, method }) => (
          <li key={href}>
            <Link href={href} aria-current={href === current ? "page" : undefined} onClick={onChoose}>
              {method ? (
                <span className="flex-none w-8.5 font-mono text-[11px] text-ink-3">{method}</span>
              ) : null}
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}

export interface ReferenceEntry {
  href: string;
  title: string;
  /** Null for guides. */
  method: string | null;
  chapter: string;
  /** More search terms: path, fields, codes. */
  words: string;
}

const MAXIMUM_RESULTS = 20;

/** The entries that contain every word or part of a word ("idem", "cents"); matching titles first. */
export function searchReference(entries: readonly ReferenceEntry[], query: string): ReferenceEntry[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const rank = (entry: ReferenceEntry) => {
    const title = entry.title.toLowerCase();
    return words.every((word) => title.includes(word)) ? 0 : 1;
  };
  return entries
    .filter(({ title, method, chapter, words: more }) => {
      const text = `${title} ${method ?? ""} ${chapter} ${more}`.toLowerCase();
      return words.every((word) => text.includes(word));
    })
    .sort((a, b) => rank(a) - rank(b))
    .slice(0, MAXIMUM_RESULTS);
}
