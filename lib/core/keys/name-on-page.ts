import { visibleName } from "@/lib/words/messages/untrusted-text";

/**
 * What a program calls itself, on a page: on one line, cut, and with nothing invisible in it that would have the page
 * say something else than it seems to (a bidirectional override turns the words around it). A page makes no links of
 * names, so dots stay what they are.
 */
export function nameOnPage(name: string): string {
  return visibleName(name) || "A program without a name";
}
