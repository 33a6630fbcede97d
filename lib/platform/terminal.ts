import { createInterface } from "node:readline";
import { Writable } from "node:stream";

export interface Terminal {
  ask(question: string): Promise<string>;
  /** As `ask`, without echoing the input or its length. */
  askSecretly(question: string): Promise<string>;
  close(): void;
}

/** Asks questions on the terminal one after the other; input typed ahead answers the next one. */
export function openTerminal(): Terminal {
  if (!process.stdin.isTTY) throw new Error("There is no terminal to ask on. Pass everything as options.");
  let isMuted = false;
  const echo = new Writable({
    write(chunk, _encoding, done) {
      if (!isMuted) process.stderr.write(chunk);
      done();
    },
  });
  const reader = createInterface({ input: process.stdin, output: echo, terminal: true });
  const lines = reader[Symbol.asyncIterator]();
  const next = async () => {
    const line = await lines.next();
    if (line.done) throw new Error("Stopped. Nothing was changed.");
    return line.value;
  };
  // Ctrl-C and Ctrl-D end the input, and with it the question.
  reader.on("SIGINT", () => reader.close());
  return {
    async ask(question) {
      reader.setPrompt(`${question}: `);
      reader.prompt();
      return (await next()).trim();
    },
    async askSecretly(question) {
      process.stderr.write(`${question}: `);
      isMuted = true;
      try {
        return await next();
      } finally {
        isMuted = false;
        process.stderr.write("\n");
      }
    },
    close: () => reader.close(),
  };
}

/**
 * Makes foreign text (names of keys and assistants, texts of events) safe for a terminal: an escape sequence could
 * clear the screen, rename the window or overwrite earlier output, and a bidirectional override reverses amounts.
 * Invisible characters are written out, as `\u{1b}`; line breaks cannot be part of a name.
 */
export function terminalText(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, (character) => {
    return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
  });
}

/** Runs a command of the operator: what fails is one line without a stack, and ends it with `failed`. */
export async function runCommand(command: () => Promise<void>, failed = 1): Promise<void> {
  try {
    await command();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = failed;
  }
}
