/** Drawings cannot measure text, so it is fitted by the count of letters that the width holds. */

/** At most `letters`, the last one an ellipsis where something was cut off. */
export function fitText(text: string, letters: number): string {
  return text.length <= letters ? text : `${text.slice(0, Math.max(1, letters - 1)).trimEnd()}…`;
}

/** Lines of whole words; what is left over after the last line is cut off with an ellipsis. */
export function wrapText(text: string, letters: number, maximumLines: number): string[] {
  const lines: string[] = [];
  let rest = text.split(" ");
  while (rest.length > 0 && lines.length < maximumLines) {
    if (lines.length === maximumLines - 1) {
      lines.push(fitText(rest.join(" "), letters));
      break;
    }
    let taken = 1;
    while (taken < rest.length && rest.slice(0, taken + 1).join(" ").length <= letters) taken += 1;
    lines.push(fitText(rest.slice(0, taken).join(" "), letters));
    rest = rest.slice(taken);
  }
  return lines;
}
