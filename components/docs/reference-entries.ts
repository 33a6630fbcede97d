import { GUIDES } from "@/components/docs/guides";
import type { ReferenceEntry } from "@/components/docs/search-reference";
import type { ReferenceView } from "@/lib/contract/views/reference-view";

/** Guides first, then the operations in the chapters of the API. */
export function referenceEntries(reference: ReferenceView): ReferenceEntry[] {
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
