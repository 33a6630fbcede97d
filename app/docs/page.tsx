import type { Metadata } from "next";
import { ReferenceOverview } from "@/components/docs/overview";
import { getRuntime } from "@/lib/next/runtime";
import "@/app/styles/pages/docs.css";

export const metadata: Metadata = { title: "API reference" };

/** Dynamic, because the runtime does not exist at build time. */
export const dynamic = "force-dynamic";

export default function DocsPage() {
  return (
    <div className="ref-m ref-one">
      <ReferenceOverview reference={getRuntime().reference} />
    </div>
  );
}
