import { ArrowLeft } from "lucide-react";
import type { ReactNode } from "react";
import { Contents, type ReferenceEntry } from "@/components/docs/contents";
import { GUIDES } from "@/components/docs/guides";
import { KeyMemoryProvider } from "@/components/docs/use-trial";

import { SkipLink } from "@/components/shell/frame-parts";
import { Mark } from "@/components/ui/brand";
import { Link } from "@/components/ui/link";
import type { ReferenceView } from "@/lib/contract/views/reference-view";

interface ReferenceFrameProps {
  reference: ReferenceView;
  /** Signed in, so there is a dashboard to return to. */
  isMember: boolean;
  children: ReactNode;
}

const SWITCH_ID = "contents";

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

function referenceEntries(reference: ReferenceView): ReferenceEntry[] {
  const guides = GUIDES.map(({ slug, title, chapter, words }) => ({
    href: `/docs/${slug}`,
    title,
    method: null,
    chapter,
    words,
  }));
  const operations = reference.chapters.flatMap((chapter) =>
    chapter.operations.map((operation) => ({
      href: `/docs/${operation.operationId}`,
      title: operation.summary,
      method: operation.method,
      chapter: chapter.title,
      words: [
        operation.operationId,
        operation.path,
        operation.permission ?? "",
        ...[...operation.pathFields, ...operation.queryFields, ...operation.bodyFields].map(
          ({ name }) => name,
        ),
      ].join(" "),
    })),
  );
  return [...guides, ...operations];
}
