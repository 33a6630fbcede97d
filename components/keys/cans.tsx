import { Check, X } from "lucide-react";
import type { CanItem } from "@/components/keys/can-list";
import { GateClosedIcon } from "@/components/ui/icons";

const LOOK = { YES: undefined, ASKS: "asks", NO: "no" } as const;

/** What a key can do, and what it cannot. */
export function Cans({ items }: { items: readonly CanItem[] }) {
  return (
    <ul className="cans">
      {items.map(({ can, text }) => (
        <li key={text} className={LOOK[can]}>
          {can === "ASKS" ? (
            <GateClosedIcon />
          ) : can === "YES" ? (
            <Check className="ic" />
          ) : (
            <X className="ic" />
          )}
          <span>
            {can === "NO" ? <span className="vh">Not: </span> : null}
            {text}
          </span>
        </li>
      ))}
    </ul>
  );
}
