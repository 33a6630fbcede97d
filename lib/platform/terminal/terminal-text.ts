/**
 * Words of others (names of keys and assistants, texts of events), made fit for a terminal: an escape sequence in them
 * could clear the screen, rename the window or write over what was printed before, and a bidirectional override turns
 * amounts around. What cannot be seen is written out, as `\u{1b}`; line breaks are no part of a name.
 */
export function terminalText(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, (character) => {
    return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
  });
}
