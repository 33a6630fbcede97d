import { ArrowLeft } from "lucide-react";
import type { ReactNode } from "react";
import { Contents } from "@/components/docs/contents";
import { KeyMemoryProvider } from "@/components/docs/key-memory";
import { referenceEntries } from "@/components/docs/reference-entries";
import { SkipLink } from "@/components/shell/skip-link";
import { Mark } from "@/components/ui/brand";
import { Link } from "@/components/ui/link";
import type { ReferenceView } from "@/lib/contract/views/reference-view";

interface ReferenceFrameProps {
  reference: ReferenceView;
  /** Whether the reader is a member, who came from the dashboard. */
  isMember: boolean;
  children: ReactNode;
}

const SWITCH_ID = "contents";

/** Around every page of the reference: contents with search at the left, and the way back. */
export function ReferenceFrame({ reference, isMember, children }: ReferenceFrameProps) {
  return (
    <KeyMemoryProvider>
      <SkipLink />
      <div className="ref">
        <nav className="ref-n" aria-label="Reference">
          <div className="ref-s">
            <input type="checkbox" className="ref-c" id={SWITCH_ID} />
            <div className="ref-h">
              <Link className="brand" href="/docs">
                <Mark />
                <span>Sluice</span>
              </Link>
              <label htmlFor={SWITCH_ID}>Contents</label>
            </div>
            <div className="ref-b">
              <Contents entries={referenceEntries(reference)} switchId={SWITCH_ID} />
              <a className="ref-back" href={isMember ? "/" : "/sign-in"}>
                <ArrowLeft className="ic" />
                {isMember ? "Back to the dashboard" : "Sign in"}
              </a>
            </div>
          </div>
        </nav>
        <main id="main" tabIndex={-1}>
          {children}
        </main>
      </div>
    </KeyMemoryProvider>
  );
}
