import type { ComponentType } from "react";
import { type GuideParts, partsOf } from "@/app/docs/_components/guide-parts";
import { Prose } from "@/components/parts/docs/prose";
import { LEDE, PAGE_TITLE } from "@/components/ui/text-styles";
import type { ReferenceView } from "@/lib/contract/reference";

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
    <article className="[&>*+*]:mt-3.5 [&_p]:max-w-[68ch] [&_p]:text-md/6 [&_p]:text-pretty [&_p]:text-ink-2 [&_li]:max-w-[68ch] [&_li]:text-md/6 [&_li]:text-pretty [&_li]:text-ink-2 [&_h2]:mt-10 [&_h2]:pb-2.5 [&_h2]:border-b [&_h2]:border-rule-strong [&_ul]:pl-5 [&_ul]:list-disc [&_ol]:pl-5 [&_ol]:list-decimal [&_li+li]:mt-1.5 [&_tbody_td]:align-top [&_tbody_th]:align-top [&_td]:text-ink-2">
      <h1 className={`${PAGE_TITLE} mt-1.5 mb-2`}>{heading}</h1>
      <Prose className={LEDE} text={lede} />
      <Content components={partsOf(reference)} />
    </article>
  );
}
