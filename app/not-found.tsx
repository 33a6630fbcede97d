import type { Metadata } from "next";
import { DryChannelScene } from "@/components/sluice/broken-channel-scene";
import { CurrentPath } from "@/components/ui/current-path";
import { ChevronIcon } from "@/components/ui/icons";

export const metadata: Metadata = { title: "This channel leads nowhere" };

/**
 * No such page, or one of another organization: the two look the same on purpose. Plain links: every page carries
 * what this one needs in the browser.
 */
export default function NotFound() {
  return (
    <main id="main" className="focus">
      <div className="lost lost-f">
        <DryChannelScene />
        <p className="meta mono">404</p>
        <h1 className="h1">This channel leads nowhere</h1>
        <p className="lede lost-p">
          There is no page at <CurrentPath />, or it belongs to another organization of yours. No money is
          involved.
        </p>
        <ul className="rl">
          <li>
            <a href="/">Overview</a>
            <ChevronIcon />
          </li>
          <li>
            <a href="/accounts">Accounts</a>
            <ChevronIcon />
          </li>
        </ul>
      </div>
    </main>
  );
}
