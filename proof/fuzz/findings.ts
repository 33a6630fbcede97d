import type { Answer, FuzzRequest } from "@/proof/fuzz/request";

/** Something that is not in order, and the first request that showed it. */
export interface Finding {
  what: string;
  door: string;
  shape: string;
  count: number;
  number: number;
  example: string;
}

const LONGEST_EXAMPLE = 3_000;
/** Nobody reads more. */
const MOST_FINDINGS = 200;

/** What was found, each thing of a door once. */
export class Findings {
  readonly #found = new Map<string, Finding>();

  add(what: string, number: number, { door, shape, sent }: FuzzRequest, { outcome, before }: Answer): void {
    const isLost = outcome === "HUNG" || outcome === "CUT";
    const earlier = isLost && before ? `\n  after ${describeRequest(before)}` : "";
    this.#note({ what, door, shape, number, example: `${describeRequest(sent)}${earlier}` });
  }

  /** @param about the line of the log, and what was under way when it was printed */
  addLine(what: string, number: number, about: string): void {
    this.#note({ what, door: "log", shape: "", number, example: about.slice(0, LONGEST_EXAMPLE) });
  }

  #note(finding: Omit<Finding, "count">): void {
    // Numbers and ids differ from one answer to the next, and are no other fault.
    const kind = `${finding.door} ${finding.what.replace(/[0-9a-f]{8}-[0-9a-f-]{27}|\d{4,}/g, "#")}`;
    const known = this.#found.get(kind);
    if (known) known.count += 1;
    else if (this.#found.size < MOST_FINDINGS) this.#found.set(kind, { ...finding, count: 1 });
  }

  get list(): Finding[] {
    return [...this.#found.values()];
  }
}

/** As one would send it again by hand. */
export function describeRequest(sent: FuzzRequest["sent"]): string {
  return (sent.kind === "RAW" ? describeRaw(sent.parts) : describeHttp(sent)).slice(0, LONGEST_EXAMPLE);
}

function describeRaw(parts: readonly { bytes: Buffer; pauseMs: number }[]): string {
  return parts
    .map(({ bytes, pauseMs }) => `${JSON.stringify(bytes.toString("latin1"))} then ${pauseMs} ms`)
    .join("\n");
}

function describeHttp({
  method,
  target,
  headers,
  body,
}: Extract<FuzzRequest["sent"], { kind: "HTTP" }>): string {
  const lines = headers.map(([name, value]) => ` -H ${quote(`${name}: ${value}`)}`);
  const data = body === null ? "" : ` --data-binary ${quote(body.toString("latin1"))}`;
  return `curl --path-as-is -i -X ${method} ${quote(target)}${lines.join("")}${data}`;
}

/** For bash, control characters visible. */
function quote(text: string): string {
  const escaped = text
    .replaceAll("\\", "\\\\")
    .replaceAll("'", "\\'")
    .replace(/[^\x20-\x7e]/g, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`);
  return `$'${escaped}'`;
}
