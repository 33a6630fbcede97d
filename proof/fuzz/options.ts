import { parseArgs } from "node:util";

export const USAGE = `npm run fuzz -- [--requests 10000] [--seed 1] [--doors api,mcp] [--only NUMBER,NUMBER]

Sends hostile requests to every door of the product as npm start runs it, on a demo of its own, and says what it found.
The same seed sends the same requests; --only sends some of them again, by the numbers in the report.
`;

export interface Options {
  requests: number;
  seed: number;
  /** Null: all. */
  doors: string[] | null;
  only: number[] | null;
}

/** More would take a day. */
const MOST_REQUESTS = 10_000_000;

/** @throws Error that says how it is used */
export function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      requests: { type: "string", default: "10000" },
      seed: { type: "string", default: "1" },
      doors: { type: "string" },
      only: { type: "string" },
    },
  });
  return {
    requests: readNumber(values.requests, MOST_REQUESTS),
    seed: readNumber(values.seed, 2 ** 31 - 1),
    doors: values.doors?.split(",") ?? null,
    only: values.only?.split(",").map((number) => readNumber(number, MOST_REQUESTS)) ?? null,
  };
}

function readNumber(text: string, most: number): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 0 || number > most) throw new Error(USAGE);
  return number;
}
