import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { getURLFromRedirectError } from "next/dist/client/components/redirect";
import { isRedirectError } from "next/dist/client/components/redirect-error";
import { searchParamsToUrlQuery } from "next/dist/shared/lib/router/utils/querystring";
import { expect, test } from "vitest";
import { dropEmptyParameters } from "@/app/drop-empty-parameters";
import { projectPath } from "@/lib/platform/project-path";

const root = dirname(projectPath("package.json"));

/** Where it redirects; null: nowhere. */
function addressFor(parameters: Record<string, string | string[] | undefined>): string | null {
  try {
    dropEmptyParameters("/audit", parameters);
    return null;
  } catch (error) {
    if (!isRedirectError(error)) throw error;
    return getURLFromRedirectError(error);
  }
}

test("an address keeps only the parameters that have a value", () => {
  expect(addressFor({ q: "rent", from: "", to: " " })).toBe("/audit?q=rent");
  expect(addressFor({ q: "", from: "" })).toBe("/audit");
  expect(addressFor({ status: ["FAILED", ""], q: "a b" })).toBe("/audit?status=FAILED&q=a+b");
  expect(addressFor({ q: "rent", missing: undefined })).toBeNull();
  expect(addressFor({})).toBeNull();
});

test("a parameter may be named like a property that every object inherits", () => {
  const query = searchParamsToUrlQuery(new URLSearchParams("toString=1&hasOwnProperty=2&q="));
  expect(addressFor(query)).toBe("/audit?toString=1&hasOwnProperty=2");
});

/** By the place that the form names, since some are computed. */
const PAGE_OF: Record<string, string> = {
  '"/audit"': "app/audit/page.tsx",
  '"/audit/activity"': "app/audit/activity/page.tsx",
  '"/approvals"': "app/approvals/page.tsx",
  '"/rules"': "app/rules/page.tsx",
  '"/accounts/connect"': "app/accounts/connect/page.tsx",
  "{movementsPath(tab)}": "app/transfers/render-movements.tsx",
  // Without an action: the page of the form itself.
  'method="get"': "app/rules/[id]/run/page.tsx",
};

test("every page that a GET form leads to drops what was left empty", () => {
  const forms = ["app", "components"]
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((path) =>
        join(folder, path),
      ),
    )
    .filter((path) => path.endsWith(".tsx"))
    .flatMap((path) => readFileSync(join(root, path), "utf8").match(/<(form|DaysForm)\b[^>]*>/g) ?? [])
    .filter((form) => !/onSubmit|action=\{(?!movementsPath)|method="post"/.test(form));
  const places = forms.map((form) => /action=("[^"]+"|\{[^}]+\})/.exec(form)?.[1] ?? 'method="get"');
  expect([...new Set(places)].sort()).toEqual(Object.keys(PAGE_OF).sort());
  for (const page of Object.values(PAGE_OF)) {
    expect(readFileSync(join(root, page), "utf8"), page).toContain("dropEmptyParameters(");
  }
});
