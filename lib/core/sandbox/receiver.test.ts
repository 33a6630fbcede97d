import { expect, test } from "vitest";
import { moveReceivers, setReceiver } from "@/lib/core/sandbox/receiver";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestSandbox } from "@/lib/testing/sandbox";
import { createTestServices } from "@/lib/testing/services";
import { addEndpoint, createTestWebhooks } from "@/lib/testing/webhooks";
import { readActions } from "@/lib/views/sandbox/read-actions";
import { readReceiver } from "@/lib/views/sandbox/read-receiver";

/**
 * The receiver's controls. Risks: an address that changes under its endpoint, a viewer who breaks what others watch, a
 * restart that redirects an endpoint.
 */
const database = useTestDatabase();

async function arrange() {
  const { services } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const world = createTestSandbox(services, true);
  const { organizationId, owner } = organization;
  const read = () => readReceiver({ services, context: owner }, world);
  const listen = (url: string) => addEndpoint(services, createTestWebhooks(), organizationId, url);
  const urlOf = async (id: string): Promise<string> => {
    const { rows } = await database.pool.query("select url from webhook_endpoints where id = $1", [id]);
    return rows[0]?.url;
  };
  return { services, organization, owner, world, read, listen, urlOf };
}

test("it opens with its first response, keeps its address, and lists each change", async () => {
  const { services, owner, world, read } = await arrange();
  expect(await read()).toMatchObject({ address: null, mode: null, receipts: [] });
  await setReceiver(services, world, owner, "UNAVAILABLE");
  const opened = await read();
  expect(opened?.mode).toBe("UNAVAILABLE");
  expect(opened?.address).toMatch(/^http:\/\/localhost:3000\/sandbox\/receivers\/[0-9a-f]{32}$/);
  await setReceiver(services, world, owner, "OK");
  expect(await read()).toEqual({ ...opened, mode: "OK" });
  const actions = await readActions({ services, context: owner });
  expect(actions.map(({ action, memberName }) => [memberName, action])).toEqual([
    ["Mara", { kind: "RECEIVER_SET", mode: "OK" }],
    ["Mara", { kind: "RECEIVER_SET", mode: "UNAVAILABLE" }],
  ]);
});

test("a viewer, a server with a real provider, and one that cannot send to itself cannot change it", async () => {
  const { services, organization, owner, world, read } = await arrange();
  const viewer = await organization.addMember("VIEWER", "Tomas");
  await expect(setReceiver(services, world, viewer, "GONE")).rejects.toMatchObject({ code: "ACCESS_DENIED" });
  await expect(setReceiver(services, null, owner, "GONE")).rejects.toMatchObject({ code: "ACCESS_DENIED" });
  const elsewhere = createTestSandbox(services);
  await expect(setReceiver(services, elsewhere, owner, "GONE")).rejects.toMatchObject({
    code: "ACCESS_DENIED",
  });
  expect(await readReceiver({ services, context: owner }, elsewhere)).toBeNull();
  expect(await read()).toMatchObject({ address: null, mode: null });
});

test("it names its own organization's endpoint that sends to it, or where to create one", async () => {
  const { services, owner, world, read, listen } = await arrange();
  await setReceiver(services, world, owner, "OK");
  const address = (await read())?.address ?? "";
  const other = await arrange();
  await other.listen(address);
  expect(await read()).toMatchObject({
    endpointHref: null,
    newEndpointHref: `/settings/webhooks/new?url=${encodeURIComponent(address)}`,
  });
  const { id } = await listen(address);
  expect((await read())?.endpointHref).toBe(`/settings/webhooks/${id}`);
});

test("a start on another port redirects the endpoints of receivers, and no others", async () => {
  const [ours, theirs] = [await arrange(), await arrange()];
  for (const { services, world, owner } of [ours, theirs]) await setReceiver(services, world, owner, "OK");
  const address = (await ours.read())?.address ?? "";
  const endpoint = await ours.listen(address);
  const elsewhere = await ours.listen("https://hooks.northwind.example/sluice");
  const ofAnother = await theirs.listen(address);
  const moved = { ...ours.services, appUrl: "http://localhost:4100" };
  expect(await moveReceivers(moved)).toBeGreaterThan(0);
  expect(await moveReceivers(moved)).toBe(0);
  expect(await ours.urlOf(endpoint.id)).toBe(address.replace(":3000", ":4100"));
  expect(await ours.urlOf(elsewhere.id)).toBe("https://hooks.northwind.example/sluice");
  expect(await theirs.urlOf(ofAnother.id)).toBe(address);
});
