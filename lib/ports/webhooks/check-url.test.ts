import { describe, expect, it } from "vitest";
import { MAXIMUM_URL_LENGTH } from "@/lib/contract/webhooks";
import { EgressError, type EgressProblem } from "@/lib/platform/egress/resolve-host";
import { createWebhookSender } from "@/lib/ports/webhooks/create-webhook-sender";

function checking(answer: string[] | EgressProblem = ["93.184.216.34"], allowsPrivate = false) {
  const resolve = async (hostname: string) => {
    if (typeof answer === "string") throw new EgressError(answer, `${hostname} could not be found`);
    return answer;
  };
  return createWebhookSender({ allowsPrivate }, { resolve });
}

describe("an endpoint's address", () => {
  it.each([
    "https://example.com/webhooks",
    "https://example.com",
    "https://example.com:8443/a?b=c",
    "https://bücher.example/hooks",
    "https://93.184.216.34/hooks",
    "https://[2606:4700:4700::1111]/hooks",
  ])("may be %s", async (url) => {
    expect(await checking().checkUrl(url)).toBeNull();
  });

  it.each([
    ["example.com/webhooks", "Enter a full address"],
    ["", "Enter a full address"],
    ["https://", "Enter a full address"],
    ["https://256.1.1.1/", "Enter a full address"],
    ["https://1.2.3.4.5/", "Enter a full address"],
    ["http://example.com/", "begins with https://."],
    ["ftp://example.com/", "begins with https://."],
    ["file:///etc/passwd", "begins with https://."],
    ["javascript:alert(1)", "begins with https://."],
    ["https://user@example.com/", "user name and password"],
    ["https://user:secret@example.com/", "user name and password"],
    ["https://:secret@example.com/", "user name and password"],
    ["https://example.com/#part", "Remove #"],
    ["https://example.com/#", "Remove #"],
    [" https://example.com/", "Remove spaces"],
    ["https://exam\tple.com/", "Remove spaces"],
    ["https://example.com/\u202egnp", "Remove spaces"],
    ["https://exam\u00adple.com/", "Remove spaces"],
    [`https://example.com/${"a".repeat(MAXIMUM_URL_LENGTH)}`, "at most 2,000 characters"],
  ])("may not be %s", async (url, says) => {
    expect(await checking().checkUrl(url)).toContain(says);
  });

  it.each([
    ["127.0.0.1", "this server itself"],
    ["2130706433", "this server itself"],
    ["0x7f000001", "this server itself"],
    ["0x7f.1", "this server itself"],
    ["0177.0.0.01", "this server itself"],
    ["017700000001", "this server itself"],
    ["127.1", "this server itself"],
    ["127.0.1", "this server itself"],
    ["127.0.0.1.", "this server itself"],
    ["１２７.0.0.1", "this server itself"],
    ["①②⑦.0.0.1", "this server itself"],
    ["127。0。0。1", "this server itself"],
    ["%31%32%37.0.0.1", "this server itself"],
    ["[::1]", "this server itself"],
    ["[0:0:0:0:0:0:0:1]", "this server itself"],
    ["0", "no particular machine"],
    ["0.0.0.0", "no particular machine"],
    ["[::]", "no particular machine"],
    ["[::ffff:127.0.0.1]", "stands for another one"],
    ["[::ffff:7f00:1]", "stands for another one"],
    ["[::127.0.0.1]", "stands for another one"],
    ["[64:ff9b::169.254.169.254]", "stands for another one"],
    ["[2002:7f00:1::]", "stands for another one"],
    ["10.0.0.1", "a private address"],
    ["0xa000001", "a private address"],
    ["192.168.1.1", "a private address"],
    ["0300.0250.1.1", "a private address"],
    ["[fd00::1]", "a private address"],
    ["169.254.169.254", "the metadata service"],
    ["0xa9fea9fe", "the metadata service"],
    ["2852039166", "the metadata service"],
    ["168.63.129.16", "the metadata service"],
    ["[fd00:ec2::254]", "the metadata service"],
    ["[fe80::1]", "a link-local address"],
    ["100.64.0.1", "a provider's network"],
    ["224.0.0.1", "a multicast address"],
    ["255.255.255.255", "a reserved address"],
  ])("may not be the literal %s, however it is written", async (host, says) => {
    const lookup = checking("DNS");
    expect(await lookup.checkUrl(`https://${host}/hooks`)).toContain(says);
    const answer = await lookup.post({ url: `https://${host}/hooks`, headers: {}, body: "{}" });
    expect(answer).toMatchObject({ statusCode: null, problem: "ADDRESS" });
  });

  it("may not resolve to a private address among public ones", async () => {
    expect(await checking(["93.184.216.34", "10.0.0.1"]).checkUrl("https://hooks.example/")).toBe(
      "hooks.example leads to a private address. Enter one that the internet reaches.",
    );
  });

  it.each(["localhost", "LOCALHOST", "localhost.", "api.localhost"])("may not be %s", async (host) => {
    const asked = createWebhookSender({ allowsPrivate: false });
    expect(await asked.checkUrl(`https://${host}/hooks`)).toContain("leads to this server itself");
    const answer = await asked.post({ url: `https://${host}:9/hooks`, headers: {}, body: "{}" });
    expect(answer.problem).toBe("ADDRESS");
  });

  it("unknown to DNS is refused, and one whose lookup fails for now is not", async () => {
    expect(await checking("UNKNOWN_HOST").checkUrl("https://exmaple.example/")).toBe(
      "exmaple.example could not be found. Check the spelling.",
    );
    expect(await checking("DNS").checkUrl("https://hooks.example/")).toBeNull();
  });
});

describe("where private addresses are allowed", () => {
  it.each(["http://localhost:3000/hooks", "http://10.0.0.1/", "https://[::1]/", "https://example.com/"])(
    "%s may be saved",
    async (url) => {
      expect(await checking(["127.0.0.1"], true).checkUrl(url)).toBeNull();
    },
  );

  it.each([
    ["http://user:secret@localhost/", "user name and password"],
    ["ftp://localhost/", "https:// or http://."],
    ["http://localhost/#a", "Remove #"],
  ])("%s still may not", async (url, says) => {
    expect(await checking(["127.0.0.1"], true).checkUrl(url)).toContain(says);
  });
});
