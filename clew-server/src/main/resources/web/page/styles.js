/** Loads a style sheet that is not needed at once; resolves when it is there, or cannot be. */
export function styleSheet(url) {
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = url.href;
  document.head.append(link);
  return new Promise((done) => (link.onload = link.onerror = done));
}
