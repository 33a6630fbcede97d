import type { Metadata } from "next";
import { ReferenceOverview } from "@/components/docs/overview";
import { getRuntime } from "@/lib/next/runtime";
import "@/app/styles/pages/docs.css";

export const metadata: Metadata = { title: "API reference" };

/** What there is: the address, the guides, the operations. Asked for each time: the runtime is not there at the build. */
export const dynamic = "force-dynamic";

export default function DocsPage() {
  return (
    <div className="ref-m ref-one">
      <ReferenceOverview reference={getRuntime().reference} />
    </div>
  );
}
