import { existsSync, readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** A frame's end: `(file:///…/server.mjs:812:9)`, or without parentheses. A folder's name may hold both. */
const PLACE = /(?<=\(|at |at async )((?:file:\/\/)?\/.+\.m?js):(\d+):(\d+)(?=\)?$)/;
/** A message may hold a line that begins like a frame; searching a huge one for places would take long. */
const LONGEST_FRAME = 1_000;
/** Errors repeat: their places are looked up once. All are forgotten at this many. */
const MAXIMUM_KNOWN = 1_000;
const known = new Map<string, string>();

/**
 * A stack with the places of the sources instead of those of the bundles. Reads a bundle's map when an error is logged
 * (under 0.1 s for the largest), and forgets it: Node's own `--enable-source-maps` keeps the maps of all that it loaded,
 * 155 MB for the dashboard. Lines without a map stay as they are.
 */
export function readableStack(stack: string): string {
  const maps = new Map<string, SourceMap>();
  return stack
    .split("\n")
    .map((line) =>
      line.length <= LONGEST_FRAME && /^\s+at /.test(line)
        ? line.replace(PLACE, (...match) => findSource(match, maps))
        : line,
    )
    .join("\n");
}

function findSource([place, file, line, column]: string[], maps: Map<string, SourceMap>): string {
  if (place === undefined || file === undefined) return "";
  const before = known.get(place);
  if (before !== undefined) return before;
  const source = readSource(file, Number(line), Number(column), maps) ?? place;
  if (known.size >= MAXIMUM_KNOWN) known.clear();
  known.set(place, source);
  return source;
}

/** @returns null without a readable map: a second error must not hide the one that is logged */
function readSource(file: string, line: number, column: number, maps: Map<string, SourceMap>): string | null {
  try {
    const path = file.startsWith("file:") ? fileURLToPath(file) : file;
    if (!existsSync(`${path}.map`)) return null;
    const map = maps.get(path) ?? new SourceMap(JSON.parse(readFileSync(`${path}.map`, "utf8")));
    maps.set(path, map);
    const entry = map.findEntry(line - 1, column - 1);
    if (!("originalSource" in entry)) return null;
    // Next's compiler writes `[id]` as in a URL.
    const source = resolve(dirname(path), decodeURIComponent(entry.originalSource));
    return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  } catch {
    return null;
  }
}
