import type { Answer, FuzzRequest } from "@/proof/fuzz/send";

/** A problem, and the first request that showed it. */
export interface Finding {
  what: string;
  transport: string;
  shape: string;
  count: number;
  number: number;
  example: string;
}

const LONGEST_EXAMPLE = 3_000;
/** More would go unread. */
const MOST_FINDINGS = 200;

/** The findings, each once per transport. */
export class Findings {
  readonly #found = new Map<string, Finding>();

  add(
    what: string,
    number: number,
    { transport, shape, sent }: FuzzRequest,
    { outcome, before }: Answer,
  ): void {
    const isLost = outcome === "HUNG" || outcome === "CUT";
    const earlier = isLost && before ? `\n  after ${describeRequest(before)}` : "";
    this.#note({ what, transport, shape, number, example: `${describeRequest(sent)}${earlier}` });
  }

  /** @param about the line of the log, and what was in progress when it was printed */
  addLine(what: string, number: number, about: string): void {
    this.#note({ what, transport: "log", shape: "", number, example: about.slice(0, LONGEST_EXAMPLE) });
  }

  #note(finding: Omit<Finding, "count">): void {
    // Numbers and ids differ between responses without being another problem.
    const kind = `${finding.transport} ${finding.what.replace(/[0-9a-f]{8}-[0-9a-f-]{27}|\d{4,}/g, "#")}`;
    const known = this.#found.get(kind);
    if (known) known.count += 1;
    else if (this.#found.size < MOST_FINDINGS) this.#found.set(kind, { ...finding, count: 1 });
  }

  get list(): Finding[] {
    return [...this.#found.values()];
  }
}

/** As one would repeat it by hand. */
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

interface Slow {
  number: number;
  transport: string;
  shape: string;
  durationMs: number;
}

const SLOWEST = 5;

/** Counts responses by transport and outcome, and the slowest. */
export class Counter {
  readonly #outcomes = new Map<string, Map<string, number>>();
  /** By subject: whether it ever succeeded. */
  readonly #done = new Set<string>();
  readonly #durationsMs: number[] = [];
  #slowest: Slow[] = [];

  get count(): number {
    return this.#durationsMs.length;
  }

  add(number: number, { transport, shape }: FuzzRequest, { outcome, statuses, durationMs }: Answer): void {
    const [status] = statuses;
    const how = status === undefined ? outcome.toLowerCase() : `${Math.floor(status / 100)}xx`;
    const ofTransport = this.#outcomes.get(transport) ?? new Map<string, number>();
    this.#outcomes.set(transport, ofTransport.set(how, (ofTransport.get(how) ?? 0) + 1));
    if (status !== undefined && status < 300) this.#done.add(shape);
    this.#durationsMs.push(durationMs);
    this.#slowest = [...this.#slowest, { number, transport, shape, durationMs }]
      .sort((a, b) => b.durationMs - a.durationMs)
      .slice(0, SLOWEST);
  }

  /** Whether a request about this subject ever succeeded. */
  isDone(shape: string): boolean {
    return this.#done.has(shape);
  }

  describe(): string[] {
    const sorted = this.#durationsMs.toSorted((a, b) => a - b);
    const at = (part: number) => (sorted[Math.floor(part * (sorted.length - 1))] ?? 0).toFixed(1);
    return [
      ...[...this.#outcomes].map(
        ([transport, counts]) => `  ${transport.padEnd(12)} ${describeCounts(counts)}`,
      ),
      `  answered in ${at(0.5)} ms (p50), ${at(0.99)} ms (p99)`,
      ...this.#slowest.map(
        ({ number, transport, shape, durationMs }) =>
          `  slow: ${durationMs.toFixed(0)} ms  ${number}  ${transport} ${shape}`,
      ),
    ];
  }
}

function describeCounts(counts: ReadonlyMap<string, number>): string {
  return [...counts]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([how, count]) => `${how} ${count}`)
    .join("  ");
}
