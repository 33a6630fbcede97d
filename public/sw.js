// Shows notifications, and does nothing else: it has no fetch handler and no cache, so no page and no data stay on the
// device.

const ICON = "/icons/icon-192.png";
/** A push must show something. */
const UNREADABLE = { title: "Sluice", body: "Something needs your attention.", path: "/", denyPath: null, tag: "" };

self.addEventListener("install", () => self.skipWaiting());

self.addEventListener("push", (event) => {
  const { title, body, path, denyPath, tag } = readMessage(event.data);
  event.waitUntil(
    self.registration.showNotification(title, {
      body,
      icon: ICON,
      badge: ICON,
      // A repeated or later one about the same replaces the one that is shown, and alerts again.
      ...(tag && { tag, renotify: true }),
      data: { path, denyPath },
      actions: denyPath
        ? [
            { action: "open", title: "Review" },
            { action: "deny", title: "Deny" },
          ]
        : [],
    }),
  );
});

/** Both ways only open the approval: denying takes a signed-in person and a confirmation, as on the page. */
self.addEventListener("notificationclick", (event) => {
  const { path, denyPath } = event.notification.data;
  event.notification.close();
  event.waitUntil(openPath(event.action === "deny" && denyPath ? denyPath : path));
});

self.addEventListener("pushsubscriptionchange", (event) => {
  if (event.oldSubscription) event.waitUntil(renew(event.oldSubscription, event.newSubscription));
});

function readMessage(data) {
  try {
    return { ...UNREADABLE, ...data.json() };
  } catch {
    return UNREADABLE;
  }
}

async function openPath(path) {
  const { href, origin } = new URL(path, self.location.origin);
  if (origin !== self.location.origin) return;
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const shown = windows.find(({ url }) => url === href);
  await (shown ? shown.focus() : self.clients.openWindow(href));
}

/** While signed out this fails; the person then turns notifications on again. */
async function renew(oldSubscription, newSubscription) {
  const subscription =
    newSubscription ?? (await self.registration.pushManager.subscribe(oldSubscription.options));
  await fetch("/settings/notifications/device", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ oldEndpoint: oldSubscription.endpoint, subscription }),
  });
}
