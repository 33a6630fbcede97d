"use client";

import { Search } from "lucide-react";
import { open } from "@/components/palette/opened";

/** Opens the palette, for whoever has no keyboard or does not know its keys. */
export function FindButton() {
  return (
    <button
      className="find-b"
      type="button"
      aria-haspopup="dialog"
      aria-label="Go, find or do"
      title="Go, find or do (⌘K or Ctrl K)"
      onClick={() => open("PALETTE")}
    >
      <Search className="ic" aria-hidden="true" />
    </button>
  );
}
