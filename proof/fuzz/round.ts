import { checkAnswer } from "@/proof/fuzz/check-answer";
import { checkLogLine } from "@/proof/fuzz/check-log";
import type { MakeRequest } from "@/proof/fuzz/doors";
import type { Findings } from "@/proof/fuzz/findings";
import type { FuzzedProduct } from "@/proof/fuzz/product";
import type { Answer, FuzzRequest } from "@/proof/fuzz/request";
import type { Sender } from "@/proof/fuzz/send";
import type { Tally } from "@/proof/fuzz/tally";

interface Round {
  product: FuzzedProduct;
  sender: Sender;
  make: MakeRequest;
  numbers: readonly number[];
  atOnce: number;
  findings: Findings;
  tally: Tally;
  onAnswer?: (number: number, request: FuzzRequest, answer: Answer) => void;
}

/** Sends these requests, so many at once, and holds every answer and every line of the log against what is in order. */
export async function sendRound(round: Round): Promise<void> {
  const waiting = [...round.numbers].reverse();
  const inFlight = new Map<number, FuzzRequest>();
  const work = async () => {
    for (let number = waiting.pop(); number !== undefined; number = waiting.pop()) {
      await sendOne(round, number, inFlight);
    }
  };
  await Promise.all(Array.from({ length: round.atOnce }, work));
  readLog(round, inFlight, null);
}

async function sendOne(round: Round, number: number, inFlight: Map<number, FuzzRequest>): Promise<void> {
  const request = round.make(number);
  inFlight.set(number, request);
  const answer = await round.sender.send(request);
  round.onAnswer?.(number, request, answer);
  round.tally.add(number, request, answer);
  for (const what of checkAnswer(request, answer)) round.findings.add(what, number, request, answer);
  readLog(round, inFlight, { number, request });
  inFlight.delete(number);
}

/** A line is of a request that was under way when it was printed; which one, its own address and the reader tell. */
function readLog(
  { product, findings }: Round,
  inFlight: ReadonlyMap<number, FuzzRequest>,
  answered: { number: number; request: FuzzRequest } | null,
): void {
  for (const line of product.takeLines()) {
    const finding = checkLogLine(line);
    if (!finding) continue;
    const number = answered?.number ?? 0;
    const about = `${finding.what}\n${finding.text}\nUnder way: ${[...inFlight.keys()].join(",")}`;
    findings.addLine(finding.what, number, about);
  }
}
