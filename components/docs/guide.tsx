import type { ComponentType, ReactNode } from "react";
import { CopyButton } from "@/components/docs/copy-button";
import { Inline, Prose } from "@/components/docs/prose";
import { CodeBox } from "@/components/ui/code-box";
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
  Content: ComponentType<{ reference: ReferenceView }>;
}

/** A guide's section. */
export function Chapter({ title, children }: { title: string; children: ReactNode }) {
  return (
    <>
      <h2 className="h2">{title}</h2>
      {children}
    </>
  );
}

/** A list of sentences, numbered where the order matters. */
export function Points({ items, isOrdered = false }: { items: readonly string[]; isOrdered?: boolean }) {
  const points = items.map((item) => (
    <li key={item}>
      <Inline text={item} />
    </li>
  ));
  return isOrdered ? <ol>{points}</ol> : <ul>{points}</ul>;
}

export function GuideCode({ label, text }: { label: string; text: string }) {
  return (
    <div>
      <div className="code-h">
        <span className="meta">{label}</span>
        <CopyButton text={text} />
      </div>
      <CodeBox label={label}>{text}</CodeBox>
    </div>
  );
}

interface FactsProps {
  caption: string;
  head: readonly [string, ...string[]];
  rows: readonly (readonly [string, ...string[]])[];
  /** Whether the first column holds API names or words. */
  names?: "code" | "words";
}

export function Facts({ caption, head, rows, names = "code" }: FactsProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls on phones must be reachable by keyboard
    <section className="ref-w" tabIndex={0} aria-label={caption}>
      <table className="ledger ref-f">
        <caption className="vh">{caption}</caption>
        <thead>
          <tr>
            {head.map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ...cells]) => (
            <tr key={name}>
              <th scope="row">
                {names === "code" ? <span className="key">{name}</span> : <Inline text={name} />}
              </th>
              {cells.map((cell, index) => (
                <td key={head[index + 1] ?? cell}>
                  <Inline text={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

export function GuidePage({ guide, reference }: { guide: Guide; reference: ReferenceView }) {
  const { heading, lede, Content } = guide;
  return (
    <article className="prose">
      <h1 className="h1">{heading}</h1>
      <Prose className="lede" text={lede} />
      <Content reference={reference} />
    </article>
  );
}
