import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";

/**
 * Asks one question on the terminal.
 * @throws Error without a terminal: a script that waits for an answer nobody can give would hang for ever.
 */
export async function ask(question: string): Promise<string> {
  requireTerminal(question);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await terminal.question(`${question}: `)).trim();
  } finally {
    terminal.close();
  }
}

/** The same without showing what is typed, not even its length. */
export async function askSecretly(question: string): Promise<string> {
  requireTerminal(question);
  process.stderr.write(`${question}: `);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  try {
    return await terminal.question("");
  } finally {
    terminal.close();
    process.stderr.write("\n");
  }
}

function requireTerminal(question: string): void {
  if (!process.stdin.isTTY)
    throw new Error(`There is no terminal to ask for "${question}". Give it as an option.`);
}
