import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { Skeleton } from "@/components/shell/page-skeleton";

const ID = "019a785d-bee8-73bf-865b-3de0645292b6";
const shapeOf = (href: string) => renderToStaticMarkup(<Skeleton href={href} />);

it("has the shape of a list, and that of a detail page for what its address names", () => {
  const [list, detail] = [shapeOf("/transfers"), shapeOf(`/transfers/${ID}`)];
  expect(list).not.toBe(detail);
  for (const href of ["/", "/rules/new", `/transfers?account=${ID}`, `/approvals#${ID}`])
    expect(shapeOf(href)).toBe(list);
  for (const href of [`/rules/${ID}/edit`, `/transfers/cards/${ID}?from=list`])
    expect(shapeOf(href)).toBe(detail);
});

it("tells screen readers once that something loads", () => {
  const markup = shapeOf("/");
  expect(markup.match(/role="status"/g)).toHaveLength(1);
  expect(markup.replace(/<[^>]*>/g, "")).toBe("Loading");
});
