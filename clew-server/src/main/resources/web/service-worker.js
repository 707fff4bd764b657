// Opens the page when the server cannot be reached. It keeps the page's own files, which are the
// same for everybody; what the server says of an owner it never sees.

const VERSION = '{{digest}}';
const CACHE = `clew-${VERSION}`;
const SHELL = '/shell';
const FILES = {{files}};

self.addEventListener('install', (event) => event.waitUntil(install()));
self.addEventListener('activate', (event) => event.waitUntil(activate()));

async function install() {
  const cache = await caches.open(CACHE);
  await cache.addAll([SHELL, ...FILES]);
  await self.skipWaiting();
}

/** Forgets older versions, and tells the windows which one there is now. */
async function activate() {
  for (const name of await caches.keys()) {
    if (name !== CACHE) {
      await caches.delete(name);
    }
  }
  await self.clients.claim();
  for (const client of await self.clients.matchAll()) {
    client.postMessage({ version: VERSION });
  }
}

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== self.location.origin || request.method !== 'GET') {
    return;
  }
  if (request.mode === 'navigate' && pathname === '/') {
    event.respondWith(fetch(request).catch(() => caches.match(SHELL)));
  } else if (pathname.startsWith(`/assets/${VERSION}/`)) {
    event.respondWith(file(request));
  }
});

/** A file of the page never changes under its address. */
async function file(request) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request);
  if (kept) {
    return kept;
  }
  const response = await fetch(request);
  if (response.ok) {
    await cache.put(request, response.clone());
  }
  return response;
}

/** Leads to the conversation that a notification is about. */
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(show(event.notification.data.id));
});

async function show(id) {
  const [client] = await self.clients.matchAll({ type: 'window' });
  if (client) {
    await client.focus();
    client.postMessage({ open: id });
  } else {
    await self.clients.openWindow(`/#/s/${encodeURIComponent(id)}`);
  }
}
