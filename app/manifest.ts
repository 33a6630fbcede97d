import type { MetadataRoute } from "next";

/**
 * What a phone needs to install the dashboard. There is no service worker: browsers ask for none any more, and nothing of
 * an organization's money is kept on a device that is offline.
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
    // The colour of paper; a running page says its own, light or dark.
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
