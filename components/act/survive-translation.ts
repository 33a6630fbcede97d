/** The two methods by which React changes children. */
export interface ParentNodes {
  removeChild<Child extends Node>(child: Child): Child;
  insertBefore<Child extends Node>(node: Child, before: Node | null): Child;
}

/**
 * A browser that translates a page replaces its text nodes by elements of its own. React then removes a node, or inserts
 * before one, that is no longer where it put it; the browser throws, and the page ends in its error boundary while the
 * outcome of a decision is shown (facebook/react#11538). What is gone already need not be removed, and what has lost its
 * place is appended.
 */
export function surviveTranslation(nodes: ParentNodes): void {
  const { removeChild, insertBefore } = nodes;
  nodes.removeChild = function tolerant<Child extends Node>(this: Node, child: Child): Child {
    if (child.parentNode !== this) return child;
    return removeChild.call(this, child) as Child;
  };
  nodes.insertBefore = function tolerant<Child extends Node>(
    this: Node,
    node: Child,
    before: Node | null,
  ): Child {
    const place = before === null || before.parentNode === this ? before : null;
    return insertBefore.call(this, node, place) as Child;
  };
}

/** Whether the browser translated this page: Chrome and Safari mark its root, Edge each text. */
export function isTranslated(page: Pick<Document, "documentElement" | "querySelector">): boolean {
  const { classList } = page.documentElement;
  return (
    classList.contains("translated-ltr") ||
    classList.contains("translated-rtl") ||
    page.querySelector("[_msttexthash]") !== null
  );
}

/** Refreshes the page. A translated one is loaded again, because React cannot change texts that the browser replaced. */
export function refreshPage(router: { refresh: () => void }): void {
  if (isTranslated(document)) window.location.reload();
  else router.refresh();
}
