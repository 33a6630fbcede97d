import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { GuidePage } from "@/app/docs/_components/guide";
import { GUIDES } from "@/app/docs/_components/guides";
import { OperationPage } from "@/app/docs/[slug]/_components/operation-page";
import { getRuntime } from "@/lib/next/runtime";

interface Props {
  params: Promise<{ slug: string }>;
}

/** A guide or an operation. */
function find(slug: string) {
  const { reference } = getRuntime();
  const guide = GUIDES.find((candidate) => candidate.slug === slug) ?? null;
  const operation =
    reference.chapters
      .flatMap(({ operations }) => operations)
      .find(({ operationId }) => operationId === slug) ?? null;
  return { reference, guide, operation };
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { guide, operation } = find((await params).slug);
  return { title: guide?.title ?? operation?.summary ?? "API reference" };
}

export default async function DocsSlugPage({ params }: Props) {
  const { reference, guide, operation } = find((await params).slug);
  if (guide) {
    return (
      <div className="grid grid-cols-[minmax(0,760px)] items-start gap-14 max-w-320 px-12 pt-10 pb-24 max-lg:grid-cols-1 max-lg:gap-4 max-sm:px-5 max-sm:pt-6 max-sm:pb-16 [&_.code-box]:text-xs/4.75">
        <GuidePage guide={guide} reference={reference} />
      </div>
    );
  }
  if (!operation) notFound();
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,460px)] items-start gap-14 max-w-320 px-12 pt-10 pb-24 max-lg:grid-cols-1 max-lg:gap-4 max-sm:px-5 max-sm:pt-6 max-sm:pb-16 [&_.code-box]:text-xs/4.75">
      <OperationPage operation={operation} basePath={reference.basePath} />
    </div>
  );
}
