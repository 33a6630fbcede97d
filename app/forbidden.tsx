import { ElsewhereInPlace } from "@/components/live/elsewhere-in-place";

/**
 * In place of a page that would show another organization than its tab did (`requireMember`). The browser has it from the
 * tab's first page on, which cannot know what is chosen later: so it asks when it is shown.
 */
export default function Forbidden() {
  return (
    <main id="main" className="focus">
      <ElsewhereInPlace />
    </main>
  );
}
