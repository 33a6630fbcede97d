import type { ReactNode } from "react";

/** A component of the living page. */
export interface Shown {
  name: string;
  use: string;
  states: ReactNode;
}
