"use client";

import { Search } from "lucide-react";
import { usePathname, useRouter } from "next/navigation";
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react";
import { Link } from "@/components/ui/link";
import { useKeys } from "@/components/ui/use-keys";

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
    document.querySelector(".ref-l [aria-current]")?.scrollIntoView({ block: "nearest" });
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
      <label className="in in-sm">
        <Search className="ic" />
        <span className="vh">Search the reference</span>
        <input
          ref={input}
          className="bare"
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
      <p className="vh" role="status">
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
      <ul className="ref-l">
        {entries.map(({ href, title: name, method }) => (
          <li key={href}>
            <Link href={href} aria-current={href === current ? "page" : undefined} onClick={onChoose}>
              {method ? <span className="vb">{method}</span> : null}
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
