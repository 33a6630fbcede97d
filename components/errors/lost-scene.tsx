import type { ReactNode } from "react";
import { DryChannelScene } from "@/components/sluice/scenes";
import { CurrentPath } from "@/components/ui/current-path";
import { ChevronIcon } from "@/components/ui/icons";

interface LostSceneProps {
  /** Where to go instead. */
  ways: { href: string; label: string }[];
  /** Another way on, after those. */
  children?: ReactNode;
}

/** No such page, or one of another organization: the two look the same on purpose. */
export function LostScene({ ways, children }: LostSceneProps) {
  return (
    <>
      <DryChannelScene />
      <p className="meta mono">404</p>
      <h1 className="h1">This channel leads nowhere</h1>
      <p className="lede lost-p">
        There is no page at <CurrentPath />, or it belongs to another organization of yours. No money is
        involved.
      </p>
      <ul className="rl">
        {ways.map(({ href, label }) => (
          <li key={href}>
            <a href={href}>{label}</a>
            <ChevronIcon />
          </li>
        ))}
        {children}
      </ul>
    </>
  );
}
