// Before anything is drawn, so that nobody sees the wrong colours for a moment.
try {
  const theme = localStorage.getItem('clew.theme');
  if (theme === 'light' || theme === 'dark') {
    document.documentElement.dataset.theme = theme;
  }
  const language = localStorage.getItem('clew.language');
  if (language) {
    document.documentElement.lang = language;
  }
} catch {
  // A browser that keeps nothing: as the system has it.
}
