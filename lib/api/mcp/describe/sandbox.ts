import { describer } from "@/lib/api/mcp/describe/answer-describer";
import { utcMoment } from "@/lib/api/mcp/describe/text";
import { sandboxResultSchema } from "@/lib/contract/sandbox";

/** What came of driving the sandbox. */
export const describeSandbox = describer(sandboxResultSchema, ({ now, outcome }) =>
  [
    `Done in the sandbox${outcome === null ? "" : `: ${outcome}`}. It is ${utcMoment(now)} there, and what was due is carried out.`,
    "Next: read what it changed, e.g. with getTransfer or listBalances.",
  ].join("\n"),
);
