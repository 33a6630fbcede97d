import { seenText } from "@/lib/contract/plain-text";

/** An institution's words on one line, without what deceives a reader, at most `maximumLength` characters. */
export function providerText(text: string, maximumLength: number): string {
  return [...seenText(text, "\0").replace(/\0+/g, " ").trim()].slice(0, maximumLength).join("");
}
