import type { ReactNode } from "react";
import { DryChannelScene } from "@/components/sluice/scenes";
import { ChevronIcon } from "@/components/ui/icons";
import { LinkList } from "@/components/ui/link-list";
import { LEDE, MONO, PAGE_TITLE } from "@/components/ui/text-styles";

interface LostSceneProps {
  /** Of the missing page, without the query, which may contain identifiers. */
  path: ReactNode;
  ways: { href: string; label: string }[];
  children?: ReactNode;
}

/** No such page, or one of another organization: indistinguishable on purpose. */
export function LostScene({ path, ways, children }: LostSceneProps) {
  return (
    <>
      <DryChannelScene />
      <p className="font-mono text-[0.93em]/4.5 tracking-[-0.01em] text-ink-3">404</p>
      {/* Only approval links lead to a missing page at the root. */}
      {path === "/" ? (
        <>
          <h1 className={PAGE_TITLE}>This approval link leads nowhere</h1>
          <p className={`${LEDE} mt-2`}>
            It is incomplete, or its proposal belongs to another organization. Copy the whole link from the
            message, or find the proposal among your approvals. Nothing was decided.
          </p>
        </>
      ) : (
        <>
          <h1 className={PAGE_TITLE}>This channel leads nowhere</h1>
          <p className={`${LEDE} mt-2 wrap-anywhere`}>
            There is no page at <span className={MONO}>{path}</span>, or it belongs to another of your
            organizations. No money is affected.
          </p>
        </>
      )}
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
