"use client";

import { usePathname } from "next/navigation";
import { LEDE, MONO, PAGE_TITLE } from "@/components/ui/text-styles";

/** Names the path without its query, which may contain identifiers. Read here: a server component has none. */
export function LostText() {
  const path = usePathname();
  // Only approval links lead to a missing page at the root.
  if (path === "/") {
    return (
      <>
        <h1 className={PAGE_TITLE}>This approval link leads nowhere</h1>
        <p className={`${LEDE} mt-2`}>
          It is incomplete, or its proposal belongs to another organization. Copy the whole link from the
          message, or find the proposal among your approvals. Nothing was decided.
        </p>
      </>
    );
  }
  return (
    <>
      <h1 className={PAGE_TITLE}>This channel leads nowhere</h1>
      <p className={`${LEDE} mt-2 wrap-anywhere`}>
        There is no page at <span className={MONO}>{path}</span>, or it belongs to another of your
        organizations. No money is affected.
      </p>
    </>
  );
}
