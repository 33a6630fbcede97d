import { readFileSync } from "node:fs";

/** `npm run help`: every command with one line. docs/commands.md has the details; a test keeps both in step. */
const groups = JSON.parse(readFileSync(new URL("commands.json", import.meta.url), "utf8"));
const INDENT = "  ";
/** Longer commands get a line of their own. */
const COLUMN = 32;

const lines = groups.flatMap(({ title, commands }) => [
  "",
  title,
  ...commands.flatMap(({ command, does }) =>
    command.length < COLUMN
      ? [`${INDENT}${command.padEnd(COLUMN)}${does}`]
      : [`${INDENT}${command}`, `${INDENT}${" ".repeat(COLUMN)}${does}`],
  ),
]);
process.stdout.write(`${lines.slice(1).join("\n")}\n\nOptions follow \`--\`: npm run setup -- --help\n`);
