import { ArrowLeft } from "lucide-react";
import type { ReactNode } from "react";
import { Contents, type ReferenceEntry } from "@/app/docs/_components/contents";
import { GUIDES } from "@/app/docs/_components/guides";
import { KeyMemoryProvider } from "@/app/docs/_components/use-trial";
import { BRAND_CLASS, Mark } from "@/components/layout/brand";
import { SkipLink } from "@/components/layout/frame-parts";
import { Link } from "@/components/ui/link";
import type { ReferenceView } from "@/lib/contract/reference";

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
      <div className="grid grid-cols-[232px_minmax(0,1fr)] min-h-screen max-sm:block">
        <nav
          className="border-r-3 border-double border-rule-strong [&_h2]:mx-0 [&_h2]:mt-5.5 [&_h2]:mb-1 [&_h2]:text-xs [&_h2]:font-normal [&_h2]:text-ink-3 max-sm:border-r-0 max-sm:border-b-3 max-sm:border-double max-sm:border-rule-strong"
          aria-label="Reference"
        >
          <div className="sticky top-0 max-h-screen pt-7 pr-5 pb-10 pl-7 overflow-y-auto max-sm:static max-sm:max-h-none max-sm:py-2 max-sm:px-5 [&_.input]:mt-6">
            <input
              type="checkbox"
              className="peer hidden max-sm:block max-sm:absolute max-sm:right-5 max-sm:opacity-0"
              id={SWITCH_ID}
            />
            <div className="flex items-center justify-between max-sm:peer-focus-visible:[&_label]:outline-2 max-sm:peer-focus-visible:[&_label]:outline-teal [&_label]:hidden max-sm:[&_label]:inline-flex max-sm:[&_label]:items-center max-sm:[&_label]:min-h-11 max-sm:[&_label]:py-0 max-sm:[&_label]:px-2 max-sm:[&_label]:font-medium max-sm:[&_label]:text-ink-2 max-sm:[&_label]:cursor-pointer">
              <Link className={BRAND_CLASS} href="/docs">
                <Mark />
                <span>Sluice</span>
              </Link>
              <label htmlFor={SWITCH_ID}>Contents</label>
            </div>
            <div className="max-sm:peer-not-checked:hidden max-sm:[&_.input]:min-h-11 max-sm:[&_.input]:text-[16px]">
              <Contents entries={referenceEntries(reference)} switchId={SWITCH_ID} />
              <a
                className="flex items-center gap-2 min-h-8 mt-5 font-medium text-ink-2 [&_svg]:size-4"
                href={isMember ? "/" : "/sign-in"}
              >
                <ArrowLeft />
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
