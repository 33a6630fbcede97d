import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Breakable } from "@/components/ui/breakable";

test.each([
  ["mara@northwind.example", "mara@|northwind.|example"],
  ["https://sluice.example.com/hooks/rules?a=1", "https://sluice.|example.|com/|hooks/|rules?|a=|1"],
  ["localhost", "localhost"],
])("%s breaks between its parts only", (text, parts) => {
  expect(renderToStaticMarkup(<Breakable text={text} />).replaceAll("<wbr/>", "|")).toBe(parts);
});
