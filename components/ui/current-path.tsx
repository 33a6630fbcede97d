"use client";

import { usePathname } from "next/navigation";

/** The address that was asked for, without its query: that may carry somebody's identifiers. */
export function CurrentPath() {
  return <span className="mono">{usePathname()}</span>;
}
