import type { ReactNode } from "react";
import { LostWords } from "@/components/shell/lost-words";
import { DryChannelScene } from "@/components/sluice/scenes";
import { ChevronIcon } from "@/components/ui/icons";
import { LinkList } from "@/components/ui/link-list";

interface LostSceneProps {
  ways: { href: string; label: string }[];
  children?: ReactNode;
}

/** No such page, or one of another organization: indistinguishable on purpose. */
export function LostScene({ ways, children }: LostSceneProps) {
  return (
    <>
      <DryChannelScene />
      <p className="font-mono text-[0.93em]/4.5 tracking-[-0.01em] text-ink-3">404</p>
      <LostWords />
      <LinkList className="mt-7 border-t border-rule-strong">
        {ways.map(({ href, label }) => (
          <li key={href}>
            <a href={href}>{label}</a>
            <ChevronIcon />
          </li>
        ))}
        {children}
      </LinkList>
    </>
  );
}
