import { Note } from "@/components/ui/note";

/** What the server said against an act, told where it was asked for. */
export function ActRefusal({ message }: { message: string | null }) {
  return <div role="status">{message ? <Note tone="red">{message}</Note> : null}</div>;
}
