"use client";

import { open } from "@/components/palette/opened";

/** The palette by a sentence, on a page where something was not found. */
export function FindLink() {
  return (
    <button className="lb link" type="button" aria-haspopup="dialog" onClick={() => open("PALETTE")}>
      Find it by name, amount or id
    </button>
  );
}
