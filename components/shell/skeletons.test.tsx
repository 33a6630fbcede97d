import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { Skeleton } from "@/components/shell/skeletons";

const ID = "019a785d-bee8-73bf-865b-3de0645292b6";
const shapeOf = (href: string) => renderToStaticMarkup(<Skeleton href={href} />);

it("has a shape for each kind of page, and rows for all others", () => {
  const families = [
    "/",
    "/approvals",
    "/accounts",
    `/accounts/${ID}`,
    "/transfers",
    `/transfers/${ID}`,
    "/transfers/new",
    "/rules",
    `/rules/${ID}`,
    "/cards",
    "/profile",
    `/connections/${ID}`,
    "/gates",
    "/audit",
    "/settings",
    "/settings/api-keys",
  ];
  expect(new Set(families.map(shapeOf)).size).toBe(families.length);
});

it.each([
  ["/?days=90", "/"],
  ["/transfers?status=failed", "/transfers"],
  ["/transfers/cards", "/transfers"],
  [`/transfers/outside/${ID}`, `/transfers/${ID}`],
  ["/settings/security", "/settings"],
  ["/help", "/settings"],
  ["/accounts/new", "/settings/api-keys"],
  ["/rules/new", "/settings/api-keys"],
  ["/settings/webhooks", "/settings/api-keys"],
])("shows the same for %s as for %s", (href, like) => {
  expect(shapeOf(href)).toBe(shapeOf(like));
});

it("tells screen readers once that something loads", () => {
  const markup = shapeOf("/");
  expect(markup.match(/role="status"/g)).toHaveLength(1);
  expect(markup.replace(/<[^>]*>/g, "")).toBe("Loading");
});
