// Before anything is drawn, so that nobody sees the wrong colours for a moment.

/** Shows the page, and what the browser draws around it, in the colours of a theme or the system. */
globalThis.showTheme = (name) => {
  const chosen = name === 'light' || name === 'dark';
  if (chosen) {
    document.documentElement.dataset.theme = name;
  } else {
    delete document.documentElement.dataset.theme;
  }
  for (const meta of document.querySelectorAll('meta[name=theme-color]')) {
    const { theme } = meta.dataset;
    const wanted = theme === name ? 'all' : 'not all';
    meta.setAttribute('media', chosen ? wanted : `(prefers-color-scheme: ${theme})`);
  }
};

try {
  globalThis.showTheme(localStorage.getItem('clew.theme'));
  const language = localStorage.getItem('clew.language');
  if (language) {
    document.documentElement.lang = language;
  }
} catch {
  // A browser that keeps nothing: as the system has it.
}
