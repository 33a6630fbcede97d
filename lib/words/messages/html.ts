import { marksToElements, marksToText } from "@/lib/words/messages/isolates";

/** Markup that is safe to send. Only `html` creates it, so text reaches an email escaped or not at all. */
export class Html {
  constructor(readonly markup: string) {}
}

export type HtmlValue = string | Html | HtmlValue[] | null;

/**
 * Markup as a template; every value is escaped as text, unless it is `Html` itself, and its marked names are isolated.
 * Null is nothing.
 */
export function html(strings: TemplateStringsArray, ...values: HtmlValue[]): Html {
  const markup = strings.reduce((made, string, index) => {
    const value = index === 0 ? null : (values[index - 1] ?? null);
    return made + toMarkup(value) + string;
  }, "");
  return new Html(markup);
}

function toMarkup(value: HtmlValue): string {
  if (value === null) return "";
  if (value instanceof Html) return value.markup;
  return Array.isArray(value) ? value.map(toMarkup).join("") : marksToElements(escapeHtml(value));
}

/** A sentence where elements mean nothing (a title) or are dropped (the preview of an inbox). */
export function plainHtml(sentence: string): Html {
  return new Html(escapeHtml(marksToText(sentence)));
}

/** Safe inside an element and inside a quoted attribute. */
function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

/** Breaks over-long words, which would push the button off a phone's screen. */
export const WRAPPED = "overflow-wrap:anywhere;word-break:break-word";
