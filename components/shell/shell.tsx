import { Fragment, type ReactNode } from "react";
import { Acting } from "@/components/actions/acting";
import { ShutBand } from "@/components/gates/shut-band";
import { StopGates } from "@/components/gates/stop-gates";
import { Live } from "@/components/live/live";
import { WaitingCount } from "@/components/live/waiting-count";
import { Everywhere } from "@/components/palette/everywhere";
import { FindButton } from "@/components/palette/open-palette";
import { AccountMenu } from "@/components/shell/account-menu";
import { SandboxLine, SkipLink } from "@/components/shell/frame-parts";
import { MoreMenu } from "@/components/shell/more-menu";
import { type NavigationGroup, navigationOf, TABS } from "@/components/shell/navigation";
import { PageSkeleton } from "@/components/shell/page-skeleton";
import { palettePlaceOf } from "@/components/shell/palette-place-of";

import { Mark } from "@/components/ui/brand";
import { Link } from "@/components/ui/link";
import type { LiveView, NavigationId, ShellActions, ShellView } from "@/lib/contract/views/shell-view";

interface ShellProps {
  view: ShellView;
  actions: ShellActions;
  /** Null on pages outside the navigation. */
  current: NavigationId | null;
  /** For wide tables. */
  wide?: boolean;
  children: ReactNode;
}

/** List pages: a rail; on phones, a top bar and bottom tabs. */
export function Shell({ view, actions, current, wide = false, children }: ShellProps) {
  const navigation = navigationOf(view);
  return (
    <Acting presence={actions.presence}>
      <SkipLink />
      <ShutBand view={view} actions={actions.gates} />
      <div className="app">
        <header className="rail">
          <div className="rail-in">
            <NavigationLink className="brand" href="/">
              <Mark />
              <span>Sluice</span>
            </NavigationLink>
            <FindButton />
            <nav aria-label="Main">
              {navigation.map((group) => (
                <Fragment key={group.title}>
                  {group.title ? <p className="rail-h">{group.title}</p> : null}
                  <ul>
                    {group.items.map((item) => (
                      <li key={item.id}>
                        <NavigationLink href={item.href} isCurrent={item.id === current}>
                          {item.icon}
                          <span>{item.label}</span>
                          <ItemCount id={item.id} view={view} />
                        </NavigationLink>
                      </li>
                    ))}
                  </ul>
                </Fragment>
              ))}
            </nav>
            {view.isSandbox ? <SandboxLine place="rail" /> : null}
            <div className="rail-foot">
              <StopGates view={view} closeGates={actions.gates.closeGates} place="rail" />
              <AccountMenu view={view} actions={actions} look="rail" />
            </div>
          </div>
        </header>
        <Tabs navigation={navigation} current={current} view={view} />
        <main id="main" className={wide ? "page wide" : "page"} data-shown={view.shown} tabIndex={-1}>
          {view.isSandbox ? <SandboxLine place="page" /> : null}
          {/* Overview shows the steps themselves. */}
          {view.onboardingHref && current !== "OVERVIEW" ? (
            <OnboardingLine href={view.onboardingHref} />
          ) : null}
          {children}
          <PageSkeleton />
        </main>
      </div>
      <Everywhere
        place={palettePlaceOf(view)}
        setTheme={actions.setTheme}
        closeGates={actions.gates.closeGates}
        setSingleKeys={actions.setSingleKeys}
      />
      {/* The reference stays open long and shows nothing live. */}
      {current === "REFERENCE" ? null : <Live shown={liveOf(view)} />}
    </Acting>
  );
}

function liveOf({ waitingCount, rulesCount, stamps }: ShellView): LiveView {
  return { waitingCount, rulesCount, stamps };
}

interface TabsProps {
  navigation: readonly NavigationGroup[];
  current: NavigationId | null;
  view: CountedView;
}

type CountedView = Pick<ShellView, "waitingCount" | "rulesCount">;

/** What waits for a person behind an item. */
function ItemCount({ id, view }: { id: NavigationId; view: CountedView }) {
  if (id === "APPROVALS") return <WaitingCount of="waitingCount" count={view.waitingCount} />;
  return id === "RULES" ? <WaitingCount of="rulesCount" count={view.rulesCount} /> : null;
}

function Tabs({ navigation, current, view }: TabsProps) {
  const tabs = navigation.flatMap(({ items }) => items).filter(({ id }) => TABS.includes(id));
  const others = navigation.map(({ title, items }) => ({
    title,
    items: items.filter(({ id }) => !TABS.includes(id)),
  }));
  return (
    <nav className="tabs" aria-label="Main, phone">
      {tabs.map((item) => (
        <NavigationLink key={item.id} href={item.href} isCurrent={item.id === current}>
          {item.icon}
          {item.label}
          <ItemCount id={item.id} view={view} />
        </NavigationLink>
      ))}
      <MoreMenu isCurrent={others.some((group) => group.items.some((item) => item.id === current))}>
        {others.map((group) => (
          <Fragment key={group.title}>
            {group.title ? <p className="rail-h">{group.title}</p> : null}
            {group.items.map((item) => (
              <NavigationLink key={item.id} href={item.href} isCurrent={item.id === current}>
                {item.icon}
                {item.label}
              </NavigationLink>
            ))}
          </Fragment>
        ))}
      </MoreMenu>
    </nav>
  );
}

/** Until onboarding ends, links back to it. */
function OnboardingLine({ href }: { href: string }) {
  return (
    <p className="onb-l">
      <span>This organization is not set up yet.</span>{" "}
      <Link className="link" href={href}>
        Continue setup
      </Link>
    </p>
  );
}

interface NavigationLinkProps {
  href: string;
  isCurrent?: boolean;
  className?: string;
  children: ReactNode;
}

/**
 * A plain link: one listener routes it without a document load and marks it as pending. Hydrating forty link components
 * would delay the page on phones.
 */
function NavigationLink({ href, isCurrent = false, className, children }: NavigationLinkProps) {
  return (
    <a className={className} href={href} data-navigation="" aria-current={isCurrent ? "page" : undefined}>
      {children}
    </a>
  );
}
