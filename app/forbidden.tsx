import { pageClass } from "@/components/layout/page-class";
import { ElsewhereInPlace } from "@/components/shell/elsewhere-in-place";

/**
 * Replaces a page of another member or organization than its tab showed (`requireMember`). It is sent with the tab's
 * first page, so it asks for the present ones when shown.
 */
export default function Forbidden() {
  return (
    <main id="main" className={pageClass({ frame: "focus" })}>
      <ElsewhereInPlace />
    </main>
  );
}
