/** JSON with its keys in colour. */
export function JsonText({ text }: { text: string }) {
  return text.split("\n").map((line, index) => {
    const [, indent = "", name, rest = ""] = /^(\s*)("(?:[^"\\]|\\.)*")(:.*)$/.exec(line) ?? [];
    const key = `${index} ${line}`;
    if (name === undefined) return `${line}\n`;
    return (
      <span key={key}>
        {indent}
        <b>{name}</b>
        {rest}
        {"\n"}
      </span>
    );
  });
}
