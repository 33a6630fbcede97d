import type { ComponentType } from "react";
import { type GuideParts, partsOf } from "@/components/docs/guide-parts";
import { Prose } from "@/components/docs/prose";
import type { ReferenceView } from "@/lib/contract/views/reference-view";

export interface Guide {
  /** /docs/<slug>. */
  slug: string;
  title: string;
  chapter: "Start" | "Working with it";
  /** The page's heading, a sentence. */
  heading: string;
  lede: string;
  /** More search terms. */
  words: string;
  Content: ComponentType<{ components: GuideParts }>;
}

export function GuidePage({ guide, reference }: { guide: Guide; reference: ReferenceView }) {
  const { heading, lede, Content } = guide;
  return (
    <article className="prose">
      <h1 className="h1">{heading}</h1>
      <Prose className="lede" text={lede} />
      <Content components={partsOf(reference)} />
    </article>
  );
}
