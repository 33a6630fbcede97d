import { WRAPPED } from "@/lib/words/messages/email-layout";
import { type Html, html } from "@/lib/words/messages/html";
import { paragraphText } from "@/lib/words/messages/untrusted-text";

const TEXT_WIDTH = 72;

/** Somebody's words in an email, in quotation marks beside a double rule, so that they cannot pass for ours. */
export function quoteHtml(words: string): Html {
  const lines = paragraphText(words).split("\n");
  const broken = lines.map((line, index) => (index === 0 ? html`${line}` : html`<br>${line}`));
  return html`<p class="ink ln" dir="auto" style="margin:0;border-left:3px double #b9c4c0;padding-left:16px;font-size:16px;line-height:25px;color:#123036;${WRAPPED}">\u201C${broken}\u201D</p>`;
}

/** The same for the text part: every line, also one that was only too long, begins with `> `. */
export function quoteText(words: string): string {
  const lines = paragraphText(words).split("\n").flatMap(wrap);
  return lines.map((line) => `> ${line}`.trimEnd()).join("\n");
}

/** At spaces; a word longer than the line stays whole. */
function wrap(line: string): string[] {
  const lines: string[] = [];
  let current = "";
  for (const word of line.split(" ")) {
    const longer = current === "" ? word : `${current} ${word}`;
    if (current !== "" && longer.length > TEXT_WIDTH) {
      lines.push(current);
      current = word;
    } else current = longer;
  }
  return [...lines, current];
}
