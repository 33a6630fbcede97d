import type { AssistantView } from "@/lib/contract/views/assistants-view";
import { numberWords } from "@/lib/engine/words/number-words";
import { capitalized } from "@/lib/engine/words/phrases";

/** The title of the list as a statement: `One assistant can ask you, one only reads`. */
export function assistantsTitle(
  assistants: readonly Pick<AssistantView, "power" | "state">[],
  canDecide: boolean,
): string {
  const connected = assistants.filter(({ state }) => state.kind === "CONNECTED");
  const count = (power: AssistantView["power"]) => connected.filter((one) => one.power === power).length;
  const parts = [
    {
      count: count("ASKS"),
      one: canDecide ? "can ask you" : "can ask",
      many: canDecide ? "can ask you" : "can ask",
    },
    { count: count("READS"), one: "only reads", many: "only read" },
    { count: count("NOTHING"), one: "can do nothing", many: "can do nothing" },
  ].filter((part) => part.count > 0);
  if (parts.length === 0) return "No assistant is connected";
  const words = parts.map(({ count, one, many }, index) => {
    const noun = index > 0 ? "" : count === 1 ? " assistant" : " assistants";
    return `${numberWords(count)}${noun} ${count === 1 ? one : many}`;
  });
  return capitalized(words.join(", "));
}
