"use client";

import { usePathname } from "next/navigation";
import { useEffect, useState } from "react";
import { askLive, ShownElsewhere } from "@/components/act/ask-live";
import { Elsewhere } from "@/components/shell/elsewhere";
import { buttonClass } from "@/components/ui/button";
import { LEDE, PAGE_TITLE } from "@/components/ui/text-styles";
import type { ElsewhereView } from "@/lib/contract/browser/elsewhere";

/** Offers what the session is now, and the organization that the tab showed. */
export function ElsewherePage() {
  const path = usePathname();
  const [view, setView] = useState<ElsewhereView | null>(null);
  useEffect(() => {
    const stop = new AbortController();
    askLive(stop.signal).catch((error: unknown) => {
      if (error instanceof ShownElsewhere) setView(error.view);
    });
    return () => stop.abort();
  }, []);
  if (view) return <Elsewhere view={view} />;
  // Unknown yet, switched back meanwhile, or no answer: reload the document.
  return (
    <div className="max-w-180 mx-auto pt-12">
      <h1 className={PAGE_TITLE}>You switched in another tab</h1>
      <p className={`${LEDE} mt-2 wrap-anywhere`}>Nothing was opened or changed.</p>
      <div className="mt-7">
        <a className={buttonClass({ kind: "outlined" })} href={path}>
          Load this page again
        </a>
      </div>
    </div>
  );
}
