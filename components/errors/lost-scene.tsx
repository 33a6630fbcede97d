import type { ReactNode } from "react";
import { DryChannelScene } from "@/components/sluice/scenes";
import { CurrentPath } from "@/components/ui/current-path";
import { ChevronIcon } from "@/components/ui/icons";

interface LostSceneProps {
  ways: { href: string; label: string }[];
  children?: ReactNode;
}

/** No such page, or one of another organization: indistinguishable on purpose. */
export function LostScene({ ways, children }: LostSceneProps) {
  return (
    <>
      <DryChannelScene />
      <p className="meta mono">404</p>
      <h1 className="h1">This channel leads nowhere</h1>
      <p className="lede lost-p">
        There is no page at <CurrentPath />, or it belongs to another of your organizations. No money is
        affected.
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
