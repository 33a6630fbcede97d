import type { ComponentType, ReactNode } from "react";
import { CopyButton } from "@/components/docs/copy-button";
import { CodeBox } from "@/components/ui/code-box";
import { Link } from "@/components/ui/link";
import type { ReferenceView } from "@/lib/contract/views/reference-view";

/** A page of the reference that explains instead of listing. */
export interface Guide {
  /** The last part of its address: /docs/<slug>. */
  slug: string;
  /** In the contents. */
  title: string;
  chapter: "Start" | "Working with it";
  /** At the head of the page, as a sentence. */
  heading: string;
  lede: string;
  /** Further words by which the search finds it. */
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

/** Sentences in a list, in order where the order counts. */
export function Points({ items, isOrdered = false }: { items: readonly string[]; isOrdered?: boolean }) {
  const points = items.map((item) => (
    <li key={item}>
      <Inline text={item} />
    </li>
  ));
  return isOrdered ? <ol>{points}</ol> : <ul>{points}</ul>;
}

/** Code to take along. */
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
  /** What the first column holds: names of the API, or words. */
  names?: "code" | "words";
}

/** A table with a name in front of each row. */
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

/** The page of one guide. */
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

/** The little Markdown that descriptions are written in: paragraphs, `code`, and links within this site. */
export function Prose({ text, className }: { text: string; className?: string }) {
  return text.split(/\n{2,}/).map((paragraph) => (
    <p key={paragraph} className={className}>
      <Inline text={paragraph} />
    </p>
  ));
}

/** `code` or [a link](/docs/errors); other addresses stay the text that they are. */
const MARK = /(`[^`]+`|\[[^\]]+\]\(\/[^)\s]*\))/;

/** One line of it. */
export function Inline({ text }: { text: string }): ReactNode {
  return text.split(MARK).map((piece, index) => {
    const key = `${index} ${piece}`;
    const [, label, href] = /^\[([^\]]+)\]\((\/[^)\s]*)\)$/.exec(piece) ?? [];
    if (label && href) {
      return (
        <Link className="link" href={href} key={key}>
          {label}
        </Link>
      );
    }
    if (!/^`[^`]+`$/.test(piece)) return piece;
    return (
      <span className="mono" key={key}>
        {piece.slice(1, -1)}
      </span>
    );
  });
}
