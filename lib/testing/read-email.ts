import type { RenderedEmail } from "@/lib/words/messages/message";

/** What a reader sees of the HTML part: no tags, no style sheet, entities resolved. */
export function visibleText(email: RenderedEmail): string {
  return email.html
    .replace(/<(style|title)>[\s\S]*?<\/\1>/g, "")
    .replace(/<[^>]*>/g, " ")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&nbsp;", " ")
    .replaceAll("&amp;", "&")
    .replace(/\s+/g, " ");
}

/** Where the HTML part leads. */
export const linksIn = (email: RenderedEmail) =>
  [...email.html.matchAll(/href="([^"]*)"/g)].map((match) => match[1]);
