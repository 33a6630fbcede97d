import { Fragment, type ReactNode } from "react";
import { Acting } from "@/components/actions/acting";
import { ShutBand } from "@/components/gates/shut-band";
import { StopGates } from "@/components/gates/stop-gates";
import { BRAND_CLASS, Mark } from "@/components/layout/brand";
import { Live } from "@/components/live/live";
import { WaitingCount } from "@/components/live/waiting-count";
import { Everywhere } from "@/components/palette/everywhere";
import { FindButton } from "@/components/palette/find-button";
import { AccountMenu } from "@/components/shell/account-menu";
import { SandboxLine, SkipLink } from "@/components/shell/frame-parts";
import { MoreMenu } from "@/components/shell/more-menu";
import { type NavigationGroup, navigationOf, TABS } from "@/components/shell/navigation";
import { pageClass } from "@/components/shell/page-class";
import { PageSkeleton } from "@/components/shell/page-skeleton";
import { palettePlaceOf } from "@/components/shell/palette-place-of";
import { TAB } from "@/components/shell/tab-class";
import type { CountPlace } from "@/components/ui/count";
import { Link } from "@/components/ui/link";
import { LINK } from "@/components/ui/text-styles";
import type { LiveView, NavigationId, ShellActions, ShellView } from "@/lib/contract/views/shell-view";

/**
 * The links of a navigation are styled by their list: on each of sixteen links, twice, in markup and in React's data, the
 * classes would be a tenth of every page. The current page's gate hangs on the rule beside it.
 */
const RAIL =
  "[&_a]:flex [&_a]:items-center [&_a]:gap-3 [&_a]:min-h-9.5 [&_a]:px-2 [&_a]:rounded-md [&_a]:font-medium [&_a]:text-ink-2 [&_a]:[transition:background_var(--dur-1)] [&_a]:hover:bg-hover [&_a]:hover:text-ink [&_a]:data-going:relative [&_a]:data-going:after:absolute [&_a]:data-going:after:-right-4.75 [&_a]:data-going:after:inset-y-1.75 [&_a]:data-going:after:w-1.25 [&_a]:data-going:after:bg-teal sm:max-lg:[&_a]:data-going:after:-right-3.75 [&_a]:aria-[current=page]:relative [&_a]:aria-[current=page]:font-semibold [&_a]:aria-[current=page]:text-ink [&_a]:aria-[current=page]:before:absolute [&_a]:aria-[current=page]:before:-right-4.75 [&_a]:aria-[current=page]:before:inset-y-1.75 [&_a]:aria-[current=page]:before:w-1.25 [&_a]:aria-[current=page]:before:bg-teal [&_a]:aria-[current=page]:[&>svg]:text-teal lg:[@media(max-height:930px)]:[&_a]:group-data-sandbox/rail:min-h-8 sm:max-lg:[&_a]:relative sm:max-lg:[&_a]:justify-center sm:max-lg:[&_a]:min-h-11 sm:max-lg:[&_a]:aria-[current=page]:before:-right-3.75";

const MORE =
  "[&_a]:flex [&_a]:items-center [&_a]:gap-3 [&_a]:min-h-11 [&_a]:px-2 [&_a]:text-base/3.5 [&_a]:font-medium [&_a]:text-ink-2 [&_a]:data-going:relative [&_a]:aria-[current=page]:font-semibold [&_a]:aria-[current=page]:text-teal [&_a]:[&>svg]:size-5 [&_a]:data-going:after:absolute [&_a]:data-going:after:inset-x-0 [&_a]:data-going:after:top-0 [&_a]:data-going:after:h-0.75 [&_a]:data-going:after:bg-teal";

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
      <div className="grid grid-cols-[224px_minmax(0,1fr)] min-h-screen sm:max-lg:grid-cols-[76px_minmax(0,1fr)] max-sm:block print:block print:min-h-0">
        <header className="border-r-3 border-double border-rule-strong max-sm:border-r-0 max-sm:border-b-3 print:hidden">
          <div
            data-sandbox={view.isSandbox || undefined}
            className="group/rail lg:[@media(max-height:930px)]:data-sandbox:pt-5 flex sticky top-0 flex-col min-h-screen pt-7 pr-4 pb-4 pl-5 sm:max-lg:px-3 sm:max-lg:pt-6 sm:max-lg:pb-4 max-sm:static max-sm:flex-row max-sm:items-center max-sm:min-h-0 max-sm:py-2 max-sm:px-5"
          >
            <NavigationLink
              className={`${BRAND_CLASS} mb-8 min-h-7 px-2 lg:[@media(max-height:930px)]:group-data-sandbox/rail:mb-4 sm:max-lg:justify-center sm:max-lg:px-0 max-sm:mb-0 max-sm:min-h-11 max-sm:px-0`}
              href="/"
            >
              <Mark />
              <span className="sm:max-lg:sr-only">Sluice</span>
            </NavigationLink>
            <FindButton place="rail" />
            <nav className={`max-sm:hidden ${RAIL}`} aria-label="Main">
              {navigation.map((group) => (
                <Fragment key={group.title}>
                  {group.title ? (
                    <p className="mx-2 mt-6 mb-1.5 text-xs text-ink-3 lg:[@media(max-height:930px)]:group-data-sandbox/rail:mt-3 sm:max-lg:sr-only">
                      {group.title}
                    </p>
                  ) : null}
                  <ul>
                    {group.items.map((item) => (
                      <li key={item.id}>
                        <NavigationLink href={item.href} isCurrent={item.id === current}>
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
            {view.isSandbox ? <SandboxLine place="rail" /> : null}
            <div className="mt-auto group-data-sandbox/rail:mt-0 max-sm:flex max-sm:order-2 max-sm:items-center max-sm:gap-2 max-sm:mt-0">
              <StopGates view={view} closeGates={actions.gates.closeGates} place="rail" />
              <AccountMenu view={view} actions={actions} look="rail" />
            </div>
          </div>
        </header>
        <Tabs navigation={navigation} current={current} view={view} />
        <main
          id="main"
          className={pageClass({ frame: "rail", isWide: wide })}
          data-shown={view.shown}
          tabIndex={-1}
        >
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

interface ItemCountProps {
  id: NavigationId;
  view: CountedView;
  place: CountPlace;
}

/** What waits for a person behind an item. */
function ItemCount({ id, view, place }: ItemCountProps) {
  if (id === "APPROVALS") return <WaitingCount of="waitingCount" count={view.waitingCount} place={place} />;
  return id === "RULES" ? <WaitingCount of="rulesCount" count={view.rulesCount} place={place} /> : null;
}

function Tabs({ navigation, current, view }: TabsProps) {
  const tabs = navigation.flatMap(({ items }) => items).filter(({ id }) => TABS.includes(id));
  const others = navigation.map(({ title, items }) => ({
    title,
    items: items.filter(({ id }) => !TABS.includes(id)),
  }));
  return (
    <nav
      className="hidden max-sm:flex max-sm:fixed max-sm:inset-x-0 max-sm:bottom-0 max-sm:z-6 max-sm:pb-[env(safe-area-inset-bottom)] max-sm:border-t max-sm:border-rule-strong max-sm:bg-surface print:hidden"
      aria-label="Main, phone"
    >
      {tabs.map((item) => (
        <NavigationLink key={item.id} className={TAB} href={item.href} isCurrent={item.id === current}>
          {item.icon}
          {item.label}
          <ItemCount id={item.id} view={view} place="tab" />
        </NavigationLink>
      ))}
      <MoreMenu
        linkClasses={MORE}
        isCurrent={others.some((group) => group.items.some((item) => item.id === current))}
      >
        {others.map((group) => (
          <Fragment key={group.title}>
            {group.title ? <p className="mx-2 mt-2 mb-1.5 text-xs text-ink-3">{group.title}</p> : null}
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
    <p className="mb-6 py-2.5 px-0 border-b border-rule text-ink-2">
      <span>This organization is not set up yet.</span>{" "}
      <Link className={LINK} href={href}>
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
