import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { GuidePage } from "@/components/docs/guide";
import { GUIDES } from "@/components/docs/guides";
import { OperationPage } from "@/components/docs/operation-page";
import { getRuntime } from "@/lib/next/runtime";
import "@/app/styles/pages/docs.css";

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
      <div className="ref-m ref-one">
        <GuidePage guide={guide} reference={reference} />
      </div>
    );
  }
  if (!operation) notFound();
  return (
    <div className="ref-m">
      <OperationPage operation={operation} basePath={reference.basePath} />
    </div>
  );
}
