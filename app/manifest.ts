import type { MetadataRoute } from "next";

/**
 * Makes the dashboard installable. The service worker (`public/sw.js`) only shows notifications: no financial data should
 * stay on an offline device.
 */
export default function manifest(): MetadataRoute.Manifest {
  return {
    id: "/",
    name: "Sluice",
    short_name: "Sluice",
    description: "Approve, deny and follow the movements of your money.",
    start_url: "/",
    scope: "/",
    display: "standalone",
    // Pages set their own, light or dark.
    background_color: "#fcfaf4",
    theme_color: "#fcfaf4",
    icons: [
      { src: "/icons/icon-192.png", sizes: "192x192", type: "image/png", purpose: "any" },
      { src: "/icons/icon-512.png", sizes: "512x512", type: "image/png", purpose: "any" },
      { src: "/icons/icon-maskable-512.png", sizes: "512x512", type: "image/png", purpose: "maskable" },
    ],
    shortcuts: [
      { name: "Approvals", url: "/approvals" },
      { name: "Move money", url: "/transfers/new" },
    ],
  };
}
