import type { Metadata } from "next";
import { ReferenceOverview } from "@/app/docs/_components/overview";
import { getRuntime } from "@/lib/next/runtime";

export const metadata: Metadata = { title: "API reference" };

/** Dynamic, because the runtime does not exist at build time. */
export const dynamic = "force-dynamic";

export default function DocsPage() {
  return (
    <div className="grid grid-cols-[minmax(0,760px)] items-start gap-14 max-w-320 px-12 pt-10 pb-24 max-lg:grid-cols-1 max-lg:gap-4 max-sm:px-5 max-sm:pt-6 max-sm:pb-16 [&_.code-box]:text-xs/4.75">
      <ReferenceOverview reference={getRuntime().reference} />
    </div>
  );
}
