import type { ReactNode } from "react";
import { Acting } from "@/components/act/acting";
import { BRAND_CLASS, Mark } from "@/components/layout/brand";
import { SandboxLine, SkipLink } from "@/components/layout/frame-parts";
import { pageClass } from "@/components/layout/page-class";
import { ShutBand } from "@/components/parts/gates/shut-band";
import { StopGates } from "@/components/parts/gates/stop-gates";
import { AccountMenu } from "@/components/shell/account-menu";
import { Everywhere } from "@/components/shell/everywhere";
import { FindButton } from "@/components/shell/find-button";
import { Live } from "@/components/shell/live";
import type { NavigationId } from "@/components/shell/navigation-id";
import { type NavigationPlace, PhoneTabs, RailNavigation } from "@/components/shell/navigation-links";
import { PageSkeleton } from "@/components/shell/page-skeleton";
import { palettePlaceOf } from "@/components/shell/palette-place-of";
import { Link } from "@/components/ui/link";
import { LINK } from "@/components/ui/text-styles";
import type { LiveView } from "@/lib/contract/browser/live";
import type { ShellView } from "@/lib/views/read-shell";

interface ShellProps {
  view: ShellView;
  /** Null on pages outside the navigation. */
  current: NavigationId | null;
  /** For wide tables. */
  wide?: boolean;
  children: ReactNode;
}

/** List pages: a rail; on phones, a top bar and bottom tabs. */
export function Shell({ view, current, wide = false, children }: ShellProps) {
  const place = navigationPlaceOf(view);
  return (
    <Acting>
      <SkipLink />
      <ShutBand view={view} />
      <div className="grid grid-cols-[224px_minmax(0,1fr)] min-h-screen sm:max-lg:grid-cols-[76px_minmax(0,1fr)] max-sm:block print:block print:min-h-0">
        <header className="border-r-3 border-double border-rule-strong max-sm:border-r-0 max-sm:border-b-3 print:hidden">
          <div
            data-sandbox={view.isSandbox || undefined}
            className="group/rail lg:[@media(max-height:930px)]:data-sandbox:pt-5 flex sticky top-0 flex-col min-h-screen pt-7 pr-4 pb-4 pl-5 sm:max-lg:px-3 sm:max-lg:pt-6 sm:max-lg:pb-4 max-sm:static max-sm:flex-row max-sm:items-center max-sm:min-h-0 max-sm:py-2 max-sm:px-5 max-[361px]:px-3"
          >
            <a
              className={`${BRAND_CLASS} mb-8 min-h-7 px-2 lg:[@media(max-height:930px)]:group-data-sandbox/rail:mb-4 sm:max-lg:justify-center sm:max-lg:px-0 max-sm:mb-0 max-sm:min-h-11 max-sm:px-0`}
              href="/"
              data-navigation=""
            >
              <Mark />
              <span className="sm:max-lg:sr-only">Sluice</span>
            </a>
            <FindButton place="rail" />
            <RailNavigation view={place} current={current} />
            {view.isSandbox ? <SandboxLine place="rail" /> : null}
            <div className="mt-auto group-data-sandbox/rail:mt-0 max-sm:flex max-sm:order-2 max-sm:items-center max-sm:gap-2 max-sm:mt-0">
              <StopGates view={view} place="rail" />
              <AccountMenu view={view} look="rail" />
            </div>
          </div>
        </header>
        <PhoneTabs view={place} current={current} />
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
      <Everywhere place={palettePlaceOf(view)} />
      {/* The reference stays open long and shows nothing live. */}
      {current === "REFERENCE" ? null : <Live shown={liveOf(view)} />}
    </Acting>
  );
}

function liveOf({ waitingCount, rulesCount, stamps }: ShellView): LiveView {
  return { waitingCount, rulesCount, stamps };
}

/** No more than the links need, since it is sent to the browser. */
function navigationPlaceOf(view: ShellView): NavigationPlace {
  const { hasSandboxPage, hasCards, organization, waitingCount, rulesCount } = view;
  return { hasSandboxPage, hasCards, organization, waitingCount, rulesCount };
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
