"use client";

import { usePathname } from "next/navigation";

/** Without the query, which may contain identifiers. */
export function CurrentPath() {
  return usePathname();
}
