import fc from "fast-check";
import { hostileSegment } from "@/proof/fuzz/grammar/hostile";
import { http, sometimes } from "@/proof/fuzz/grammar/http";
import { wireChange, withHeaders } from "@/proof/fuzz/grammar/wire";
import type { Scene } from "@/proof/fuzz/scene";
import type { FuzzRequest } from "@/proof/fuzz/send";

/** Addresses that are not pages: Next's own, existing files, and files that must not be served. */
const ADDRESSES = [
  "/logo.svg",
  "/app-icon.svg",
  "/manifest.webmanifest",
  "/favicon.ico",
  "/robots.txt",
  "/fonts/",
  "/icons/../../package.json",
  "/.env",
  "/.git/config",
  "/package.json",
  "/server.ts",
  "/.sluice/secret",
  "/demo.json",
  "/_next/image",
  "/_next/image?url=%2Flogo.svg&w=64&q=75",
  "/_next/image?url=%2Flogo.svg&w=-1&q=1e9",
  "/_next/image?url=http%3A%2F%2F127.0.0.1%3A9%2Fx&w=640&q=75",
  "/_next/image?url=%2F%2Fevil.example%2Fx&w=640&q=75",
  "/_next/image?url=file%3A%2F%2F%2Fetc%2Fpasswd&w=640&q=75",
  "/_next/image?url=%2Fhealthz&w=640&q=75",
  `/_next/image?url=%2F${"x".repeat(4_000)}&w=640&q=75`,
  "/_next/image?url=%2Flogo.svg&url=%2Flogo.svg&w=64&q=75",
  "/_next/data/x/index.json",
  "/_next/data/x/rules.json",
  "/_next/static/",
  "/_next/static/chunks/",
  "/_next/static/chunks/nothing.js",
  "/_next/static/../server/app/page.js",
  "/_next/static/%2e%2e/server/server-reference-manifest.json",
  "/_next/static/..%2f..%2fpackage.json",
  "/_next/static/%00",
  "/_next/static/%",
  "/_next/webpack-hmr",
  "/_next/postponed/resume/x",
  "/_next",
  "/__nextjs_original-stack-frame",
  "/__nextjs_source-map?filename=/etc/passwd",
  "/_error",
  "/_not-found",
  "/404",
  "/500",
  "/index",
  "/overview",
  "/design",
  "/api",
  "/api/x",
];

export function fileRequests({ staticFiles }: Scene): fc.Arbitrary<FuzzRequest> {
  const address = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...ADDRESSES) },
    { weight: 3, arbitrary: fc.constantFrom(...staticFiles) },
    { weight: 1, arbitrary: hostileSegment.map((segment) => `/_next/static/${segment}`) },
    { weight: 1, arbitrary: hostileSegment.map((segment) => `/_next/image?url=${segment}&w=64&q=75`) },
    { weight: 1, arbitrary: hostileSegment.map((segment) => `/${segment}`) },
  );
  return fc
    .record({
      address,
      encoding: sometimes(2, fc.constantFrom("gzip", "br", "br;q=0, gzip", "*", "identity;q=0")),
      wire: sometimes(2, wireChange),
    })
    .map(({ address: target, encoding, wire }) => {
      const plain = http("GET", target);
      const asked = encoding ? withHeaders(plain, ["Accept-Encoding", encoding]) : plain;
      return {
        transport: "files",
        shape: `${staticFiles.includes(target) ? "a file of the build" : target.split("?")[0]?.slice(0, 40)}${wire ? ` with ${wire.name}` : ""}`,
        contract: "NONE",
        sent: wire ? wire.change(asked) : asked,
      };
    });
}
