import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { PayeeLinkForm } from "@/app/payee/[token]/_components/payee-link-form";
import { AddressFields, NO_ACCOUNT } from "@/components/parts/payees/account-fields";
import { renderInRouter } from "@/lib/testing/render-in-router";

test.each([
  [
    "a member's form",
    <AddressFields key="1" account={NO_ACCOUNT} problems={{}} onChange={() => undefined} />,
  ],
  ["a payee's link", <PayeeLinkForm key="2" token="token" needsAddress />],
])("a state is chosen, not typed, in %s", (_, form) => {
  const html = renderInRouter(<QueryClientProvider client={new QueryClient()}>{form}</QueryClientProvider>);
  expect(html).toMatch(/<label[^>]*>State<\/label><select/);
  expect(html).toContain('<option value="NY">New York</option>');
});
