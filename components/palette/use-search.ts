"use client";

import { useEffect, useState } from "react";
import { MAXIMUM_QUERY_LENGTH } from "@/lib/contract/search-query";
import { type SearchView, searchViewSchema } from "@/lib/contract/views/search-view";

/** How long a pause in typing is a question. */
const PAUSE_MS = 120;

export interface Search {
  /** Null: nothing was asked or answered yet. Stays while the next answer is on its way, so that the list does not jump. */
  found: SearchView | null;
  isAsking: boolean;
  hasFailed: boolean;
}

const NOTHING: Search = { found: null, isAsking: false, hasFailed: false };

/** What the server finds for a text. An answer to an earlier text is dropped, whenever it comes. */
export function useSearch(text: string): Search {
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

/** Null when there was no usable answer. */
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
