import { expect, it, vi } from "vitest";
import { isTranslated, type ParentNodes, surviveTranslation } from "@/components/act/survive-translation";

/** As far as the two methods of a browser's node go, with their errors. */
class FakeNode {
  children: FakeNode[] = [];
  parentNode: FakeNode | null = null;

  removeChild(child: FakeNode): FakeNode {
    if (child.parentNode !== this) throw new Error("NotFoundError: not a child of this node");
    this.children = this.children.filter((one) => one !== child);
    child.parentNode = null;
    return child;
  }

  insertBefore(node: FakeNode, before: FakeNode | null): FakeNode {
    if (before !== null && before.parentNode !== this)
      throw new Error("NotFoundError: not a child of this node");
    const place = before === null ? this.children.length : this.children.indexOf(before);
    this.children.splice(place, 0, node);
    node.parentNode = this;
    return node;
  }
}

/** A parent with two texts, of which the browser replaced the first. */
function arrange() {
  class Tolerant extends FakeNode {}
  const own = { removeChild: FakeNode.prototype.removeChild, insertBefore: FakeNode.prototype.insertBefore };
  Object.assign(Tolerant.prototype, own);
  surviveTranslation(Tolerant.prototype as unknown as ParentNodes);
  const [parent, text, other, font] = [new Tolerant(), new Tolerant(), new Tolerant(), new Tolerant()];
  parent.insertBefore(text, null);
  parent.insertBefore(other, null);
  parent.insertBefore(font, text);
  parent.removeChild(text);
  return { parent, text, other, font, added: new Tolerant() };
}

it("a text that the browser replaced is removed without an error, and one that is there is removed", () => {
  const { parent, text, other, font } = arrange();
  expect(parent.removeChild(text)).toBe(text);
  expect(parent.children).toEqual([font, other]);
  parent.removeChild(other);
  expect(parent.children).toEqual([font]);
});

it("what belongs before a replaced text is appended, and before one that is there inserted", () => {
  const { parent, text, other, font, added } = arrange();
  parent.insertBefore(added, text);
  expect(parent.children).toEqual([font, other, added]);
  parent.removeChild(added);
  parent.insertBefore(added, other);
  expect(parent.children).toEqual([font, added, other]);
});

it("knows a translated page by the marks of the browsers", () => {
  const page = (classes: string[], marked: Element | null) =>
    isTranslated({
      documentElement: {
        classList: { contains: (name: string) => classes.includes(name) },
      } as unknown as HTMLElement,
      querySelector: vi.fn(() => marked),
    });
  expect(page([], null)).toBe(false);
  expect(page(["translated-ltr"], null)).toBe(true);
  expect(page(["translated-rtl"], null)).toBe(true);
  expect(page([], {} as Element)).toBe(true);
});
