import type { AskerView } from "@/lib/contract/views/approval-view";

/** Who asks, in a row. An assistant is called one: it chose its name itself, and might choose a member's. */
export function AskerName({ kind, name }: Pick<AskerView, "kind" | "name">) {
  return (
    <>
      {kind === "ASSISTANT" ? "Assistant " : null}
      <span className="key">{name}</span>
    </>
  );
}
