import type { ReactNode } from "react";
import { Link } from "@/components/ui/link";
import { LINK, MONO } from "@/components/ui/text-styles";

/** The subset of Markdown in descriptions: paragraphs, `code`, and links within this site. */
export function Prose({ text, className }: { text: string; className?: string }) {
  return text.split(/\n{2,}/).map((paragraph) => (
    <p key={paragraph} className={className}>
      <Inline text={paragraph} />
    </p>
  ));
}

/** `code` or [a link](/docs/errors); other addresses stay text. */
const MARK = /(`[^`]+`|\[[^\]]+\]\(\/[^)\s]*\))/;

export function Inline({ text }: { text: string }): ReactNode {
  return text.split(MARK).map((piece, index) => {
    const key = `${index} ${piece}`;
    const [, label, href] = /^\[([^\]]+)\]\((\/[^)\s]*)\)$/.exec(piece) ?? [];
    if (label && href) {
      return (
        <Link className={LINK} href={href} key={key}>
          {label}
        </Link>
      );
    }
    if (!/^`[^`]+`$/.test(piece)) return piece;
    return (
      <span className={MONO} key={key}>
        {piece.slice(1, -1)}
      </span>
    );
  });
}
