"use client";

import { Menu } from "lucide-react";
import { Fragment, type ReactNode, useId } from "react";
import { type NavigationItem, navigationOf, TABS } from "@/components/shell/navigation";
import type { NavigationId } from "@/components/shell/navigation-id";
import { useDisclosure } from "@/components/shell/use-disclosure";
import { WaitingCount } from "@/components/shell/waiting-count";
import type { CountPlace } from "@/components/ui/count";
import { LiveButton } from "@/components/ui/live-button";
import type { ShellView } from "@/lib/views/read-shell";

/*
 * The links are on every page. They are drawn in the browser's part, from four fields: as server components they would be
 * sent twice, a seventh of each page. Their list styles them, since sixteen times the same classes are kilobytes.
 */

/** The current page's gate hangs on the rule beside it. */
const RAIL =
  "[&_a]:flex [&_a]:items-center [&_a]:gap-3 [&_a]:min-h-9.5 [&_a]:px-2 [&_a]:rounded-md [&_a]:font-medium [&_a]:text-ink-2 [&_a]:[transition:background_var(--dur-1)] [&_a]:hover:bg-hover [&_a]:hover:text-ink [&_a]:data-going:relative [&_a]:data-going:after:absolute [&_a]:data-going:after:-right-4.75 [&_a]:data-going:after:inset-y-1.75 [&_a]:data-going:after:w-1.25 [&_a]:data-going:after:bg-teal sm:max-lg:[&_a]:data-going:after:-right-3.75 [&_a]:aria-[current=page]:relative [&_a]:aria-[current=page]:font-semibold [&_a]:aria-[current=page]:text-ink [&_a]:aria-[current=page]:before:absolute [&_a]:aria-[current=page]:before:-right-4.75 [&_a]:aria-[current=page]:before:inset-y-1.75 [&_a]:aria-[current=page]:before:w-1.25 [&_a]:aria-[current=page]:before:bg-teal [&_a]:aria-[current=page]:[&>svg]:text-teal lg:[@media(max-height:930px)]:[&_a]:group-data-sandbox/rail:min-h-8 sm:max-lg:[&_a]:relative sm:max-lg:[&_a]:justify-center sm:max-lg:[&_a]:min-h-11 sm:max-lg:[&_a]:aria-[current=page]:before:-right-3.75";

const MORE =
  "[&_a]:flex [&_a]:items-center [&_a]:gap-3 [&_a]:min-h-11 [&_a]:px-2 [&_a]:text-base/3.5 [&_a]:font-medium [&_a]:text-ink-2 [&_a]:data-going:relative [&_a]:aria-[current=page]:font-semibold [&_a]:aria-[current=page]:text-teal [&_a]:[&>svg]:size-5 [&_a]:data-going:after:absolute [&_a]:data-going:after:inset-x-0 [&_a]:data-going:after:top-0 [&_a]:data-going:after:h-0.75 [&_a]:data-going:after:bg-teal";

/** The gate of a link whose page is on its way. */
const GOING_ABOVE =
  "data-going:after:absolute data-going:after:inset-x-0 data-going:after:top-0 data-going:after:h-0.75 data-going:after:bg-teal";

/** One tab at the foot of a phone. */
const TAB = `relative grid flex-1 content-center justify-items-center gap-0.75 min-h-14 text-[11px]/3.5 font-medium text-ink-3 data-going:text-ink aria-[current=page]:font-semibold aria-[current=page]:text-teal data-current:font-semibold data-current:text-teal [&>svg]:size-5 ${GOING_ABOVE}`;

export type NavigationPlace = Parameters<typeof navigationOf>[0] &
  Pick<ShellView, "waitingCount" | "rulesCount">;

interface NavigationProps {
  view: NavigationPlace;
  current: NavigationId | null;
}

/** The rail's links, by group. */
export function RailNavigation({ view, current }: NavigationProps) {
  return (
    <nav className={`max-sm:hidden ${RAIL}`} aria-label="Main">
      {navigationOf(view).map((group) => (
        <Fragment key={group.title}>
          {group.title ? (
            <p className="mx-2 mt-6 mb-1.5 text-xs text-ink-3 lg:[@media(max-height:930px)]:group-data-sandbox/rail:mt-3 sm:max-lg:sr-only">
              {group.title}
            </p>
          ) : null}
          <ul>
            {group.items.map((item) => (
              <li key={item.id}>
                <NavigationLink item={item} current={current}>
                  {item.icon}
                  <span className="sm:max-lg:sr-only">{item.label}</span>
                  <ItemCount id={item.id} view={view} place="rail" />
                </NavigationLink>
              </li>
            ))}
          </ul>
        </Fragment>
      ))}
    </nav>
  );
}

/** The tabs at the foot of a phone. */
export function PhoneTabs({ view, current }: NavigationProps) {
  const tabs = navigationOf(view)
    .flatMap(({ items }) => items)
    .filter(({ id }) => TABS.includes(id));
  return (
    <nav
      className="hidden max-sm:flex max-sm:fixed max-sm:inset-x-0 max-sm:bottom-0 max-sm:z-6 max-sm:pb-[env(safe-area-inset-bottom)] max-sm:border-t max-sm:border-rule-strong max-sm:bg-surface print:hidden"
      aria-label="Main, phone"
    >
      {tabs.map((item) => (
        <NavigationLink key={item.id} className={TAB} item={item} current={current}>
          {item.icon}
          {item.label}
          <ItemCount id={item.id} view={view} place="tab" />
        </NavigationLink>
      ))}
      <MoreMenu view={view} current={current} />
    </nav>
  );
}

/** The last tab: opens the pages without a tab. */
function MoreMenu({ view, current }: NavigationProps) {
  const { isOpen, setIsOpen, frame, button } = useDisclosure();
  const panelId = useId();
  const groups = navigationOf(view).map(({ title, items }) => ({
    title,
    items: items.filter(({ id }) => !TABS.includes(id)),
  }));
  const isCurrent = groups.some(({ items }) => items.some(({ id }) => id === current));
  return (
    <div className="grid flex-1" ref={frame}>
      <LiveButton
        ref={button}
        className={`${TAB} w-full border-0 bg-transparent`}
        aria-expanded={isOpen}
        aria-controls={panelId}
        data-current={isCurrent || undefined}
        onClick={() => setIsOpen(!isOpen)}
      >
        <Menu />
        More
      </LiveButton>
      <div
        className={`absolute right-3 bottom-[calc(100%+8px)] w-56 max-h-[calc(100vh-88px)] p-2 border border-rule-strong rounded-lg bg-surface shadow-float overflow-y-auto ${MORE}`}
        id={panelId}
        hidden={!isOpen}
      >
        {isOpen
          ? groups.map((group) => (
              <Fragment key={group.title}>
                {group.title ? <p className="mx-2 mt-2 mb-1.5 text-xs text-ink-3">{group.title}</p> : null}
                {group.items.map((item) => (
                  <NavigationLink key={item.id} item={item} current={current}>
                    {item.icon}
                    {item.label}
                  </NavigationLink>
                ))}
              </Fragment>
            ))
          : null}
      </div>
    </div>
  );
}

interface ItemCountProps {
  id: NavigationId;
  view: NavigationPlace;
  place: CountPlace;
}

/** What waits for a person behind an item. */
function ItemCount({ id, view, place }: ItemCountProps) {
  if (id === "APPROVALS") return <WaitingCount of="waitingCount" count={view.waitingCount} place={place} />;
  return id === "RULES" ? <WaitingCount of="rulesCount" count={view.rulesCount} place={place} /> : null;
}

interface NavigationLinkProps {
  item: NavigationItem;
  current: NavigationId | null;
  className?: string;
  children: ReactNode;
}

/**
 * A plain link: one listener routes it without a document load and marks it as pending. Hydrating twenty link components
 * would delay the page on phones.
 */
function NavigationLink({ item, current, className, children }: NavigationLinkProps) {
  return (
    <a
      className={className}
      href={item.href}
      data-navigation=""
      aria-current={item.id === current ? "page" : undefined}
    >
      {children}
    </a>
  );
}
