"use client";

import { useEffect } from "react";

const COUNTED = /^\(\d+\) /;

/** Writes how many wait before the page's title: `(3) Accounts · Sluice`, whatever page comes next. */
export function useTitleCount(count: number): void {
  useEffect(() => {
    const write = () => {
      const title = document.title.replace(COUNTED, "");
      const counted = count > 0 ? `(${count}) ${title}` : title;
      if (document.title !== counted) document.title = counted;
    };
    write();
    const observer = new MutationObserver(write);
    observer.observe(document.head, { childList: true, subtree: true, characterData: true });
    return () => observer.disconnect();
  }, [count]);
}
